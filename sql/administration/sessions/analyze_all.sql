-- Statistics for the planner, after a restore: autovacuum takes its time, and reports are asked at once.
ANALYZE;
