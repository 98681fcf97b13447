-- In which words were pushes to which builds and addresses refused, and what is known about these answers?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours, $4 classes of rejection.
-- Grain: one row per provider, environment, topic, platform, app version, hour (UTC) of sending and answer, the most frequent
-- first.

WITH counted AS (
    SELECT segment.provider AS sent_through, segment.environment, segment.topic, segment.platform, segment.app_version,
           date_trunc('hour', rollup.quarter, 'UTC') AS hour, rollup.answer_id, sum(rollup.rejected)::bigint AS rejected
      FROM landfall.rejection_rollup AS rollup
      JOIN landfall.segment ON segment.app_id = rollup.app_id AND segment.segment_id = rollup.segment_id
     WHERE rollup.app_id = $1
       AND rollup.quarter >= $2 AND rollup.quarter < $3
     GROUP BY segment.provider, segment.environment, segment.topic, segment.platform, segment.app_version,
              date_trunc('hour', rollup.quarter, 'UTC'), rollup.answer_id
    HAVING sum(rollup.rejected) > 0
), answer AS (
    SELECT provider_answer.answer_id, provider_answer.provider, provider_answer.status, provider_answer.reason,
           provider_answer.outcome_class, listed.retryable, listed.token_verdict
      FROM (SELECT DISTINCT answer_id FROM counted) AS asked
      JOIN landfall.provider_answer ON provider_answer.answer_id = asked.answer_id
      LEFT JOIN LATERAL landfall.listed_answer(
                    provider_answer.provider, provider_answer.status, provider_answer.reason) AS listed ON true
     WHERE provider_answer.outcome_class = ANY ($4::text[])
       AND provider_answer.status <> 0
)
SELECT counted.sent_through, counted.environment, counted.topic, counted.platform, counted.app_version,
       counted.hour, answer.provider, answer.status, nullif(answer.reason, '') AS reason, answer.outcome_class, answer.retryable,
       answer.token_verdict, counted.rejected
  FROM counted
  JOIN answer ON answer.answer_id = counted.answer_id
 ORDER BY counted.rejected DESC, answer.status, answer.reason, counted.platform, counted.app_version, counted.hour;
