-- Plans each prepared statement once, whatever its parameters, and with index lookups. For batches: each of their statements
-- looks up or writes the rows that its arrays name.
--
-- The planner cannot know how many rows those are. A plan made while a table was small would read the whole table from then on,
-- and a hash join would lock rows in the order of a scan.
SET plan_cache_mode = force_generic_plan;
SET enable_seqscan = off;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_bitmapscan = off;
SET enable_memoize = off;
