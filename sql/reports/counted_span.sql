-- Which quarter hours do the counters cover?
--
-- Grain: one row, of all apps; both columns are null when nothing has been counted.

WITH counted AS (
    SELECT quarter FROM landfall.delivery_rollup
    UNION ALL
    SELECT quarter FROM landfall.segment_rollup
    UNION ALL
    SELECT quarter FROM landfall.unmatched_rollup
)
SELECT min(quarter) AS first_quarter, max(quarter) AS last_quarter
  FROM counted;
