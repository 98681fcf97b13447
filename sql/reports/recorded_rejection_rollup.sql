-- What do the counters of rejections by answer say?
--
-- Parameters: $1 from (inclusive) and $2 to (exclusive), both at quarter hours,
--             $3 app, or null for all.
-- Grain: one row per app, quarter hour, campaign, segment and answer, summed over slots.

SELECT app_id, quarter, campaign_id, segment_id, answer_id,
       sum(rejected)::bigint AS rejected
  FROM landfall.rejection_rollup
 WHERE quarter >= $1 AND quarter < $2
   AND ($3::bigint IS NULL OR app_id = $3)
 GROUP BY app_id, quarter, campaign_id, segment_id, answer_id;
