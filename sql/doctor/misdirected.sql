-- How many of the notifications that devices reported did another installation report than the push went to?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours.
-- Grain: one row.

SELECT coalesce(sum(notifications) FILTER (WHERE measure.misdirected), 0)::bigint AS misdirected,
       coalesce(sum(notifications) FILTER (WHERE measure.misdirected OR measure.confirmed OR measure.contradicted), 0)::bigint AS reported
  FROM landfall.headline_by_quarter AS counter
 CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
 WHERE app_id = $1 AND quarter >= $2 AND quarter < $3;
