-- When did which provider fail, throttle, or not answer at all?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours.
-- Grain: one row per provider and hour (UTC) of sending. `silent` is: no answer came (status 0).

WITH counted AS (
    SELECT segment.provider, date_trunc('hour', rollup.quarter, 'UTC') AS hour,
           sum(rollup.attempted)::bigint               AS attempted,
           sum(rollup.rejected_provider_error)::bigint AS provider_error,
           sum(rollup.rejected_throttled)::bigint      AS throttled
      FROM landfall.segment_rollup AS rollup
      JOIN landfall.segment ON segment.app_id = rollup.app_id AND segment.segment_id = rollup.segment_id
     WHERE rollup.app_id = $1
       AND rollup.quarter >= $2 AND rollup.quarter < $3
     GROUP BY segment.provider, date_trunc('hour', rollup.quarter, 'UTC')
), unanswered AS (
    SELECT answer.provider, date_trunc('hour', rollup.quarter, 'UTC') AS hour,
           sum(rollup.rejected)::bigint AS silent
      FROM landfall.rejection_rollup AS rollup
      JOIN landfall.provider_answer AS answer ON answer.answer_id = rollup.answer_id
     WHERE rollup.app_id = $1
       AND rollup.quarter >= $2 AND rollup.quarter < $3
       AND answer.status = 0
       AND answer.outcome_class = 'unknown'
     GROUP BY answer.provider, date_trunc('hour', rollup.quarter, 'UTC')
)
SELECT counted.provider, counted.hour, counted.attempted, counted.provider_error, counted.throttled,
       coalesce(unanswered.silent, 0) AS silent
  FROM counted
  LEFT JOIN unanswered ON unanswered.provider = counted.provider AND unanswered.hour = counted.hour
 WHERE counted.attempted > 0
 ORDER BY counted.provider, counted.hour;
