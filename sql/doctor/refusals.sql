-- Which builds, topics and environments are refused for reasons that lie with credentials, topic or environment?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours.
-- Grain: one row per provider, environment, topic, platform, app version and class of refusal, those without a refusal
-- included; status and reason are those of the most frequent answer of the class, null where there is none.

WITH counted AS (
    SELECT segment.provider, segment.environment, segment.topic, segment.platform, segment.app_version,
           sum(rollup.attempted)::bigint                  AS attempted,
           sum(rollup.rejected_wrong_environment)::bigint AS wrong_environment,
           sum(rollup.rejected_wrong_topic)::bigint       AS wrong_topic,
           sum(rollup.rejected_auth_error)::bigint        AS auth_error,
           sum(rollup.rejected_token_suspect)::bigint     AS token_suspect
      FROM landfall.segment_rollup AS rollup
      JOIN landfall.segment ON segment.app_id = rollup.app_id AND segment.segment_id = rollup.segment_id
     WHERE rollup.app_id = $1
       AND rollup.quarter >= $2 AND rollup.quarter < $3
     GROUP BY segment.provider, segment.environment, segment.topic, segment.platform, segment.app_version
), answered AS (
    SELECT segment.provider, segment.environment, segment.topic, segment.platform, segment.app_version,
           answer.outcome_class, answer.status, answer.reason,
           row_number() OVER (
               PARTITION BY segment.provider, segment.environment, segment.topic, segment.platform,
                            segment.app_version, answer.outcome_class
                   ORDER BY sum(rollup.rejected) DESC, answer.status, answer.reason) AS place
      FROM landfall.rejection_rollup AS rollup
      JOIN landfall.segment ON segment.app_id = rollup.app_id AND segment.segment_id = rollup.segment_id
      JOIN landfall.provider_answer AS answer ON answer.answer_id = rollup.answer_id
     WHERE rollup.app_id = $1
       AND rollup.quarter >= $2 AND rollup.quarter < $3
       AND answer.outcome_class IN ('wrong_environment', 'wrong_topic', 'auth_error', 'token_suspect')
     GROUP BY segment.provider, segment.environment, segment.topic, segment.platform, segment.app_version,
              answer.outcome_class, answer.status, answer.reason
    HAVING sum(rollup.rejected) > 0
)
SELECT counted.provider, counted.environment, counted.topic, counted.platform, counted.app_version,
       refused.outcome_class, counted.attempted, refused.rejected, answered.status, answered.reason
  FROM counted
 CROSS JOIN LATERAL (
       VALUES ('wrong_environment', counted.wrong_environment), ('wrong_topic', counted.wrong_topic),
              ('auth_error', counted.auth_error), ('token_suspect', counted.token_suspect)
       ) AS refused (outcome_class, rejected)
  LEFT JOIN answered
    ON answered.provider = counted.provider AND answered.environment = counted.environment
   AND answered.topic = counted.topic AND answered.platform = counted.platform
   AND answered.app_version = counted.app_version AND answered.outcome_class = refused.outcome_class
   AND answered.place = 1
 WHERE counted.attempted > 0
 ORDER BY counted.attempted DESC, counted.provider, counted.environment, counted.topic, counted.platform,
          counted.app_version, refused.outcome_class;
