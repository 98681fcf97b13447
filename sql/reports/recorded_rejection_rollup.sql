-- What do the counters of rejections by answer say?
--
-- Parameters: $1 from (inclusive) and $2 to (exclusive), both at quarter hours.
-- Grain: one row per app, quarter hour, campaign, segment and answer, of all apps, summed over slots.

SELECT app_id, quarter, campaign_id, segment_id, answer_id,
       sum(rejected)::bigint AS rejected
  FROM landfall.rejection_rollup
 WHERE quarter >= $1 AND quarter < $2
 GROUP BY app_id, quarter, campaign_id, segment_id, answer_id;
