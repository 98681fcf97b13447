-- Plans each prepared statement once, whatever its parameters, and by way of indexes. For batches: every statement of theirs
-- looks up or writes the rows that its arrays name. The planner cannot know how many these are, a plan made while a table was
-- small would read all of it for ever after, and a join by hashing locks rows in the order of a scan.
SET plan_cache_mode = force_generic_plan;
SET enable_seqscan = off;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_bitmapscan = off;
SET enable_memoize = off;
