-- How much lies about that maintenance should have folded long ago?
--
-- Parameters: $1 app, $2 before (exclusive), at a quarter hour.
-- Grain: one row. A late event unfolds its quarter hour again, until the next maintenance.

SELECT count(DISTINCT quarter) AS quarters, min(quarter) AS oldest
  FROM landfall.delivery_rollup
 WHERE app_id = $1
   AND slot >= 0
   AND quarter < $2;
