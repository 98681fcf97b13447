-- Plans each prepared statement once, whatever its parameters, and with index lookups. For batches: each of their statements
-- looks up or writes the rows that its arrays name.
--
-- The planner cannot know how many rows those are. A plan made while a table was small would read the whole table from then on,
-- and a hash join would lock rows in the order of a scan. An empty table, read once and kept, seems cheaper than ten lookups.
--
-- Without statistics, the planner expects ten items to match a twentieth of the table, and JIT would compile such a statement for
-- half a second each time.
--
-- SET accepts no parameters, so the word after the colon is replaced in the text: SESSION or LOCAL.
SET :scope plan_cache_mode = force_generic_plan;
SET :scope enable_seqscan = off;
SET :scope enable_hashjoin = off;
SET :scope enable_mergejoin = off;
SET :scope enable_bitmapscan = off;
SET :scope enable_memoize = off;
SET :scope enable_material = off;
SET :scope jit = off;
