both: SELECT count(*), sum(ms)/count(*) AS a, max(ms) FROM answers WHERE label IS NULL OR label LIKE 'a%' ESCAPE '\' GROUP BY complete HAVING count(*)>1 ORDER BY 1 DESC
both: WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<3) SELECT i FROM n
both: WITH t AS (SELECT 1 AS x) SELECT count(*) FROM t
both: WITH t AS MATERIALIZED (SELECT id FROM answers) SELECT count(*) FROM t AS u, t WHERE u.id=t.id
both: VALUES (1), (2), (3)
both: SELECT row_number() OVER (PARTITION BY batch ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS r, lag(id,1) OVER w AS l FROM answers WINDOW w AS (ORDER BY id)
both: SELECT count(*) FILTER (WHERE ms > 1) AS a, count(DISTINCT label) AS b FROM answers
both: SELECT CAST(ms AS numeric) AS a, cast(id AS text) AS b, round(id) AS c FROM answers
both: SELECT substr(puzzle,1,2) AS a, substring(puzzle, 2) AS s, trim(kind) AS b, replace(status,'s','x') AS c, upper(kind) AS d, length(puzzle) AS e FROM answers
both: SELECT a.id, s.rank FROM answers a LEFT JOIN solution AS s ON s.answer_id = a.id JOIN batch ON batch.id = a.batch ORDER BY a.id
both: SELECT CASE WHEN id=1 THEN 1 ELSE 2 END AS a, CASE id WHEN 1 THEN 2 END AS b, NOT id=1 AS c, label IS NOT NULL AS d, id BETWEEN 1 AND 2 AS f, id NOT IN (1,2) AS g FROM answers
both: SELECT id FROM answers UNION SELECT 7 INTERSECT SELECT 7 EXCEPT SELECT 5 ORDER BY 1
both: SELECT id % 2 AS a, id / 2 AS b, id * 1.5 AS c, -id AS d, 'a'||id AS e, id << 2 AS f, id & 1 AS g, id | 4 AS h, ~id AS i FROM answers
both: SELECT DISTINCT status AS "The Status", kind Kind FROM answers
both: SELECT * FROM (SELECT id AS x FROM answers) q WHERE q.x IN (SELECT max(id) FROM answers)
both: SELECT EXISTS (SELECT 1 FROM answers) AS a, (SELECT 1) AS b
both: SELECT id FROM answers ORDER BY label NULLS FIRST, id DESC LIMIT 2 OFFSET 1
both: SELECT coalesce(label,'it''s -- "x" /* y */ \ %') AS a, nullif(1,1) AS b, 'é' AS c, '%s' AS d FROM answers
both: SELECT answers.* FROM answers, batch WHERE answers.batch = batch.id
both: SELECT Answers.ID FROM Answers WHERE Answers.Status = 'solved'
both: SELECT status, sum(answers) AS n FROM summaries GROUP BY status
both: SELECT current_timestamp IS NULL AS a, current_date IS NULL AS b
both: SELECT sum(id) OVER (ORDER BY id ROWS 1 PRECEDING) AS a, rank() OVER (ORDER BY status) AS b, first_value(id) OVER (ORDER BY id) AS c, ntile(2) OVER (ORDER BY id) AS d FROM answers
both: SELECT a.id FROM answers a CROSS JOIN answers b WHERE a.id < b.id AND (a.id, b.id) = (1, 2)
both: SELECT 1e3 AS a, .5 AS b, 5. AS c
sqlite: SELECT count(*), sum(ms), Max(id), id+1 FROM answers
sqlite: SELECT strftime('%Y', solved_at) > '2000', date('now','-1 day') > '2000', julianday(solved_at)>1, unixepoch(solved_at)>1 FROM answers
sqlite: SELECT key, value FROM json_each('[1,2,{"a":3}]')
sqlite: SELECT json_extract('{"a":{"b":[1,2]}}', '$.a.b[1]') AS x, '{"a.b":1}' -> '$."a.b"' AS y, '{"a.b":5}' ->> 'a.b' AS z, '[1,2]' ->> 1 AS w, '[1,2]'->'$[#-1]' AS v
sqlite: SELECT j.key, j.value, answers.id FROM answers, json_each('[5,6]') AS j WHERE j.value > 5
sqlite: SELECT group_concat(id, ';'), group_concat(id), total(id) FROM answers
sqlite: SELECT cast('5' AS numeric(10,2)) AS a, cast('5.7x' AS real) AS b, cast(5.5 AS integer) AS c, cast('2001-01-01' AS date) AS d, typeof(cast('5' as numeric)) as e
sqlite: SELECT min(1,2), max(1,2), ifnull(null,1), iif(1,2,3), printf('%05d',7), char(65,66), instr('abc','b'), hex('a'), typeof(1), unicode('a')
sqlite: SELECT id FROM answers WHERE kind GLOB 'su*' AND "kind" = 'sudoku' AND [kind] = `kind`
sqlite: SELECT label IS 'a', label IS NOT 'a', 'a' || 1 + 2 FROM answers
sqlite: SELECT puzzle LIKE '%.%' COLLATE NOCASE, id == 1, id <> 1, id != 1 FROM answers
sqlite: SELECT json_object('a', 1, 'b', json('[1]')), json_group_array(id) FROM answers
sqlite: SELECT a.id, b.id FROM answers AS a, answers AS b WHERE a.id = b.id
sqlite: SELECT sqrt(4), pow(2,3), ceil(1.2), log(10)
sqlite: SELECT name, options ->> 'timeout' AS timeout FROM batch
postgresql: SELECT date_trunc('day', solved_at) > '2000-01-01' AS a, extract(epoch from solved_at) > 0 AS b, solved_at > now() - interval '1 day 2 hours' AS c, now() at time zone 'UTC' > '2000-01-01' AS d, solved_at::date > '2000-01-01' AS e FROM answers
postgresql: SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY ms), percentile_disc(array[0.5,0.9]) within group (order by ms) FROM answers
postgresql: SELECT string_agg(kind, ',' ORDER BY id), array_agg(id ORDER BY id DESC), count(*), pg_catalog.count(*) FROM answers
postgresql: SELECT '{"a.b":5}'::json ->> 'a.b' AS x, '[1,2]'::json -> 0 AS y, '[1,2]'::json ->> -1 AS z, '{"a":{"b":1}}'::jsonb #> '{a,b}' AS w, '{"a":1}'::jsonb @> '{"a":1}' AS v, '{"a":1}'::jsonb #>> '{a}' AS u, '{"$.a":4}'::json ->> '$.a' AS t
postgresql: SELECT key, value FROM json_each('{"a":1}'::json)
postgresql: SELECT value::int AS v, ordinality FROM json_array_elements_text('[5,6]') WITH ORDINALITY
postgresql: SELECT substring('abc' from 2 for 1), substring('foobar', 'o(.)b'), trim(both 'x' from 'xax'), trim('  a '), trim('xax', 'x'), ltrim('xa','x'), position('b' in 'abc'), overlay('abcd' placing 'x' from 2 for 1), trim(leading from ' a'), trim('x' from 'xa')
postgresql: SELECT DISTINCT ON (batch) id FROM answers ORDER BY batch, id DESC
postgresql: SELECT id FROM answers WHERE kind ~ 'su' AND kind ~* 'SU' AND kind !~ 'x' AND kind ILIKE 'SU%' AND kind SIMILAR TO 'su%' AND kind NOT LIKE 'x%'
postgresql: SELECT count(*), batch FROM answers GROUP BY ROLLUP (batch)
postgresql: SELECT count(*), batch, status FROM answers GROUP BY GROUPING SETS ((batch), (status), ())
postgresql: SELECT g FROM generate_series(1,3) AS g
postgresql: SELECT i FROM generate_series(1,3) AS g(i)
postgresql: SELECT * FROM unnest(array[1,2], array['a','b']) AS u(a,b)
postgresql: SELECT (array[1,2,3])[2] AS a, (array[1,2,3])[1:2] AS b, id = ANY(array[1,2]) AS c, id = ANY(SELECT 1) AS d FROM answers
postgresql: SELECT a.id, q.x FROM answers a, LATERAL (SELECT a.id * 2 AS x) q
postgresql: SELECT a.id, q.x FROM answers a LEFT JOIN LATERAL (SELECT a.id * 2 AS x) q ON true
postgresql: SELECT $$a'b\c$$ AS a, $x$y$x$ AS b
postgresql: SELECT 2 ^ 3 AS a, 5 # 3 AS b, 'a' || 1 || null AS c, 7 / 2 AS d, 7.0 / 2 AS e, ~ 5 AS f, 2::numeric ^ 0.5 as g
postgresql: SELECT label IS DISTINCT FROM 'a' AS a, true IS TRUE AS b FROM answers
postgresql: SELECT '5'::numeric(10,2), '1'::int8, '1'::float8, '1'::real, 'a'::varchar(3), 'x'::bytea, '00:00'::time, 't'::bool, '{1,2}'::int[], '2001-01-01'::timestamptz > now(), '1 day'::interval, 'a'::char(3)
postgresql: SELECT to_char(solved_at, 'YYYY') > '2000', regexp_replace('abc','b','x','g'), split_part('a,b',',',2), regexp_matches('abc','(b)')  FROM answers
postgresql: SELECT id FROM public.answers
postgresql: SELECT id FROM "answers" WHERE "answers"."kind" = 'sudoku'
postgresql: SELECT mode() WITHIN GROUP (ORDER BY status), bool_and(id>0), every(id>0), stddev(ms), corr(ms,id) FROM answers
postgresql: SELECT left('abc',1), right('abc',1), format('%s-%s',1,2), concat('a',1), concat_ws(',','a','b'), greatest(1,2), least(1,2), md5('a'), repeat('a',3), reverse('ab'), lpad('a',3), initcap('abc'), ascii('a'), chr(65)
postgresql: SELECT date '2001-01-01' + 1, timestamp '2001-01-01 00:00', interval '1' day, interval '2 hours', make_interval(days => 1), age(timestamp '2001-01-01', timestamp '2000-01-01')
postgresql: SELECT * FROM ROWS FROM (generate_series(1,2), generate_series(1,3)) WITH ORDINALITY
postgresql: SELECT id FROM answers FETCH FIRST 2 ROWS ONLY
postgresql: SELECT jsonb_path_query('[1,2]', '$[*] ? (@ > 1)'), jsonb_build_object('a',1), to_json(1)
postgresql: SELECT solved_at + interval '1 hour' > solved_at, extract(year from solved_at) > 2000, date_part('hour', solved_at) >= 0, solved_at BETWEEN now() - interval '1 month' AND now() FROM answers
postgresql: SELECT COUNT(*) OVER (PARTITION BY status), Id AS "Id" FROM answers
postgresql: SELECT EXTRACT(DOW FROM solved_at) >= 0, (solved_at AT TIME ZONE 'Europe/Berlin')::date > '2000-01-01' FROM answers
postgresql: SELECT sum(id) OVER (ORDER BY id RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM answers
postgresql: SELECT sum(id) OVER (ORDER BY id GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE TIES) FROM answers
postgresql: WITH a AS NOT MATERIALIZED (SELECT 1 AS x), b AS (SELECT x FROM a) SELECT * FROM b
postgresql: TABLE answers
