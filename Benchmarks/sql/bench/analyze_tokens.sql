-- Tells the planner how many tokens there are: autovacuum may come too late, and a day would be loaded by trying all with all.
ANALYZE landfall.token;
