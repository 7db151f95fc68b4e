"""Read compose.yaml as Compose does."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
FILE = ROOT / "compose.yaml"

Services = dict[str, dict[str, Any]]
#: the steps of a Dockerfile: (instruction, arguments)
Steps = list[tuple[str, str]]


def filled_in(value: Any, environ: Mapping[str, str] | None = None) -> Any:
    """`value` with `${NAME:-default}` and `$$` substituted.

    >>> filled_in(["$${NAME:-nobody}", "${NAME:-nobody}"])
    ['${NAME:-nobody}', 'nobody']
    """
    given = environ or {}
    if isinstance(value, dict):
        return {key: filled_in(inner, given) for key, inner in value.items()}
    if isinstance(value, list):
        return [filled_in(inner, given) for inner in value]
    if not isinstance(value, str):
        return value
    return re.sub(
        r"\$(?:(\$)|\{(\w+):-([^}]*)\})",
        lambda found: found[1] or given.get(found[2]) or found[3],
        value,
    )


def steps(dockerfile: str) -> Steps:
    r"""The steps of a Dockerfile.

    >>> steps("FROM a\n# why\nRUN b \\\n c\n")
    [('FROM', 'a'), ('RUN', 'b   c')]
    """
    lines = [line for line in dockerfile.splitlines() if not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ").splitlines()
    return [(step.split()[0], step.partition(" ")[2].strip()) for step in joined if step.strip()]
