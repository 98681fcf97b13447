-- Makes the transaction that has just begun see the database as it is at its first query, and change nothing.
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY;
-- Behind a pooler the role has the settings of plan_once.sql, which are for batches: a report that joins a million rows by
-- looking each of them up does not end. What it is asked about decides which plan is good.
SET LOCAL plan_cache_mode = force_custom_plan;
SET LOCAL enable_seqscan = on;
SET LOCAL enable_hashjoin = on;
SET LOCAL enable_mergejoin = on;
SET LOCAL enable_bitmapscan = on;
SET LOCAL enable_memoize = on;
-- Reports are estimated to cost more than they do: compiling them takes longer than it saves.
SET LOCAL jit = off;
-- For the same reason hashing would be thought to spill, and sorting long rows by text be preferred.
SET LOCAL work_mem = '64MB';
