* two rows are covered once, one at most once, and one twice or more
NAME          CREWS
ROWS
 N  COST
 E  R1
 L  R2
 E  R3
 G  R4
COLUMNS
    M0        'MARKER'                 'INTORG'
    X1        COST             5.   R1               1.
    X1        R2               1.
    X2        COST             3.   R3               1.
    X2        R4               1.
    X3        R1               1.   R3               1.
    X3        R4               1.
    M1        'MARKER'                 'INTEND'
RHS
    RHS       R1               1.   R2               1.
    RHS       R3               1.   R4               2.
BOUNDS
 UP BND       X1               1.
 BV BND       X2
ENDATA
