-- How many notifications of these apps have no response, according to the counters? One row per app and
-- quarter hour.
-- $1 app_id[]; bit 256 of state: the app showed it itself
SELECT app_id, quarter,
       coalesce(sum(notifications) FILTER (WHERE state & 256 = 0), 0)::bigint  AS unmatched,
       coalesce(sum(notifications) FILTER (WHERE state & 256 <> 0), 0)::bigint AS local
  FROM landfall.headline_by_quarter
 WHERE app_id = ANY ($1::bigint[]) AND campaign_id = 0
 GROUP BY app_id, quarter;
