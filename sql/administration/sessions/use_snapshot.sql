-- Makes the transaction that has just begun read-only, and lets all its queries see the database as of the first one.
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY;
-- With a pooler in between, the role has the settings of plan_once.sql, which suit batches: a report that joins a million rows by
-- looking up each of them would not end. The best plan of a report depends on its parameters.
SET LOCAL plan_cache_mode = force_custom_plan;
SET LOCAL enable_seqscan = on;
SET LOCAL enable_hashjoin = on;
SET LOCAL enable_mergejoin = on;
SET LOCAL enable_bitmapscan = on;
SET LOCAL enable_memoize = on;
SET LOCAL enable_material = on;
-- The planner overestimates the cost of reports: compiling them takes longer than it saves.
SET LOCAL jit = off;
-- For the same reason it would expect hashing to spill, and sort long rows by text instead.
SET LOCAL work_mem = '64MB';
