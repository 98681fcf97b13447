-- Tells the planner how many tokens there are: autovacuum may come too late, and loading a day would compare
-- every token with every row.
ANALYZE landfall.token;
