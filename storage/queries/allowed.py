"""What SQL of users may contain: kinds of sqlglot's nodes, types of casts, and functions.

Everything here only computes from its arguments, or returns the time or a random number.  In
neither database may a name of FUNCTIONS stand for anything else.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: names of classes of `sqlglot.exp`
NODES = _words(
    """
    Select From Where Group Having Order Ordered Limit Offset Fetch LimitOptions Distinct Join
    Lateral Subquery Values Tuple Table TableAlias With CTE Union Intersect Except Rollup Cube
    GroupingSets Window WindowSpec Filter WithinGroup IgnoreNulls RespectNulls
    Alias Column Identifier Star Literal RawString Null Boolean Paren Var
    And Or Not EQ NEQ GT GTE LT LTE Is NullSafeEQ NullSafeNEQ In Between Like ILike SimilarTo Glob
    RegexpLike RegexpILike Escape Exists Any All Case If Collate
    Add Sub Mul Div Mod Neg Pow DPipe
    BitwiseAnd BitwiseOr BitwiseXor BitwiseNot BitwiseLeftShift BitwiseRightShift
    Anonymous Kwarg Unnest Cast DataType DataTypeParam Extract Substring Trim StrPosition Overlay
    CurrentDate CurrentTime CurrentTimestamp AtTimeZone Interval Array Bracket Slice
    ArrayContainsAll ArrayContainedBy ArrayOverlaps JSONExtract JSONExtractScalar JSONBExtract
    JSONBExtractScalar JSONBContains JSONBContainsTopKey
    """
)

#: types of casts
TYPES = _words(
    """
    BOOLEAN TINYINT SMALLINT INT BIGINT DECIMAL FLOAT DOUBLE CHAR VARCHAR TEXT BINARY VARBINARY BLOB
    DATE TIME TIMETZ TIMESTAMP TIMESTAMPTZ DATETIME INTERVAL JSON JSONB UUID ARRAY
    """
)

#: functions of SQLite, and of PostgreSQL's schema pg_catalog
FUNCTIONS = _words(
    """
    abs acos acosh asin asinh atan atan2 atanh cbrt ceil ceiling cos cosh cot degrees div erf exp
    factorial floor gcd lcm ln log log10 log2 mod pi pow power radians random round sign sin sinh
    sqrt tan tanh trunc width_bucket
    coalesce ifnull iif greatest least nullif likelihood likely unlikely num_nulls num_nonnulls
    pg_typeof typeof row grouping
    ascii bit_length btrim char char_length character_length chr concat concat_ws decode encode
    format get_byte glob hex initcap instr left length like lower lpad ltrim md5 octet_length
    printf quote quote_ident quote_literal quote_nullable randomblob regexp_count regexp_instr
    regexp_like regexp_match regexp_matches regexp_replace regexp_split_to_array
    regexp_split_to_table regexp_substr repeat replace reverse right rpad rtrim sha224 sha256 sha384
    sha512 soundex split_part starts_with string_to_array string_to_table strpos substr substring
    to_hex translate trim unhex unicode unistr upper zeroblob
    age clock_timestamp date date_bin date_part date_trunc datetime isfinite julianday justify_days
    justify_hours justify_interval make_date make_interval make_time make_timestamp make_timestamptz
    now statement_timestamp strftime time timediff timezone to_char to_date to_number to_timestamp
    transaction_timestamp unixepoch
    array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count covar_pop covar_samp every
    group_concat json_agg json_object_agg jsonb_agg jsonb_object_agg max median min mode percentile
    percentile_cont percentile_disc regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope
    regr_sxx regr_sxy regr_syy stddev stddev_pop stddev_samp string_agg sum total var_pop var_samp
    variance
    cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank
    row_number
    array_append array_cat array_length array_lower array_ndims array_position array_positions
    array_prepend array_remove array_replace array_to_json array_to_string array_upper cardinality
    generate_series generate_subscripts unnest
    json json_array json_array_elements json_array_elements_text json_array_length json_build_array
    json_build_object json_each json_each_text json_error_position json_extract json_extract_path
    json_extract_path_text json_group_array json_group_object json_insert json_object
    json_object_keys json_patch json_quote json_remove json_replace json_set json_strip_nulls
    json_tree json_type json_typeof json_valid row_to_json to_json
    jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array
    jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path jsonb_extract_path_text
    jsonb_insert jsonb_object jsonb_object_keys jsonb_path_exists jsonb_path_query
    jsonb_path_query_array jsonb_path_query_first jsonb_pretty jsonb_set jsonb_strip_nulls
    jsonb_typeof to_jsonb
    """
)
