-- How many notifications have device events but no provider response (yet), and how many did the app show by itself?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours, bit of delivery.state: $4 local.
-- Grain: one row. The campaign is not known before the response, so these are numbers of the whole window.

SELECT coalesce(sum(notifications) FILTER (WHERE state & $4 = 0), 0)::bigint  AS unmatched,
       coalesce(sum(notifications) FILTER (WHERE state & $4 <> 0), 0)::bigint AS local
  FROM landfall.counters($1, $2, $3, 'UTC', NULL, false)
 WHERE campaign_id = 0;
