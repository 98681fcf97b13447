-- Which quarter hours do the counters cover?
--
-- Grain: one row for all apps; both columns are null if nothing has been counted.

SELECT min(quarter) AS first_quarter, max(quarter) AS last_quarter
  FROM landfall.headline_by_quarter;
