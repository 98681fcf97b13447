-- What do the counters of rejections by answer say by UTC day, and what the folded quarter hours that these add up?
--
-- Parameters: $1 from (inclusive) and $2 to (exclusive), both at UTC days,
--             $3 app, or null for all.
-- Grain: one row per app, day, campaign, segment and answer, twice: of the quarter hours in slot -1 (is_day is false), and
-- of the days (true).

SELECT app_id, date_trunc('day', quarter, 'UTC') AS day, campaign_id, segment_id, answer_id,
       sum(rejected)::bigint AS rejected,
       false AS is_day
  FROM landfall.rejection_rollup
 WHERE slot = -1 AND quarter >= $1 AND quarter < $2
   AND ($3::bigint IS NULL OR app_id = $3)
 GROUP BY app_id, day, campaign_id, segment_id, answer_id
UNION ALL
SELECT app_id, day, campaign_id, segment_id, answer_id,
       rejected,
       true
  FROM landfall.rejection_day_rollup
 WHERE day >= $1 AND day < $2
   AND ($3::bigint IS NULL OR app_id = $3);
