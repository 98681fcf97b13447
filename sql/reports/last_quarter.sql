-- When was the last notification sent that has a provider answer?
--
-- Parameters: $1 app.
-- Grain: one row, the start of its quarter hour; null when there is none. The primary key answers it.

SELECT max(quarter) AS last_quarter
  FROM landfall.delivery_rollup
 WHERE app_id = $1;
