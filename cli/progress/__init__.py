"""How far a batch is: bars, worker lines and the summary."""
