-- Collects statistics for the planner after a restore: the first reports may come before autovacuum does.
ANALYZE;
