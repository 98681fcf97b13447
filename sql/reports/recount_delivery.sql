-- What do the notifications themselves say, counted again?
--
-- Parameters: $1 from (inclusive) and $2 to (exclusive) of sent_at,
--             $3 app, or null for all.
-- Grain: one row per app, quarter hour, campaign, segment and state. Campaign and segment are null while no
-- provider answer is known. What a state is worth is not decided here: Measure does that.

SELECT app_id,
       date_bin('15 minutes', sent_at, '2000-01-01 00:00:00+00') AS quarter,
       campaign_id,
       segment_id,
       state,
       count(*) AS notifications
  FROM landfall.delivery
 WHERE sent_at >= $1 AND sent_at < $2
   -- State 0 only points to a row.
   AND state <> 0
   AND ($3::bigint IS NULL OR app_id = $3)
 GROUP BY app_id, quarter, campaign_id, segment_id, state;
