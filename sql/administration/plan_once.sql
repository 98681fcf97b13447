-- Plans each prepared statement once, whatever its parameters. For batches: their arrays tell the planner nothing, but a plan
-- made for them alone may scan a whole table, and locks rows in the order of that scan.
SET plan_cache_mode = force_generic_plan;
