-- Which pushes to which builds and addresses are refused for reasons that do not lie with the provider or with dead tokens?
--
-- Parameters: $1 app, $2 from (inclusive) of the week before, $3 from (inclusive) and $4 to (exclusive) of lately, all at
--             quarter hours.
-- Grain: one row per provider, environment, topic, platform, app version and hour (UTC) of sending; all of the week before
-- is one row without an hour. `unknown` leaves out those that got no answer at all (status 0).

WITH counted AS (
    SELECT rollup.segment_id, rollup.quarter, rollup.attempted,
           rollup.rejected_wrong_environment AS wrong_environment, rollup.rejected_wrong_topic AS wrong_topic,
           rollup.rejected_auth_error AS auth_error, rollup.rejected_token_suspect AS token_suspect,
           rollup.rejected_payload_error AS payload_error, rollup.rejected_request_error AS request_error,
           rollup.rejected_unknown AS unknown
      FROM landfall.segment_rollup AS rollup
     WHERE rollup.app_id = $1
       AND rollup.quarter >= $2 AND rollup.quarter < $4
    UNION ALL
    SELECT rollup.segment_id, rollup.quarter, 0, 0, 0, 0, 0, 0, 0, -rollup.rejected
      FROM landfall.rejection_rollup AS rollup
      JOIN landfall.provider_answer AS answer ON answer.answer_id = rollup.answer_id
     WHERE rollup.app_id = $1
       AND rollup.quarter >= $2 AND rollup.quarter < $4
       AND answer.status = 0
       AND answer.outcome_class = 'unknown'
)
SELECT segment.provider, segment.environment, segment.topic, segment.platform, segment.app_version,
       CASE WHEN counted.quarter >= $3 THEN date_trunc('hour', counted.quarter, 'UTC') END AS hour,
       sum(counted.attempted)::bigint         AS attempted,
       sum(counted.wrong_environment)::bigint AS wrong_environment,
       sum(counted.wrong_topic)::bigint       AS wrong_topic,
       sum(counted.auth_error)::bigint        AS auth_error,
       sum(counted.token_suspect)::bigint     AS token_suspect,
       sum(counted.payload_error)::bigint     AS payload_error,
       sum(counted.request_error)::bigint     AS request_error,
       sum(counted.unknown)::bigint           AS unknown
  FROM counted
  JOIN landfall.segment ON segment.app_id = $1 AND segment.segment_id = counted.segment_id
 GROUP BY segment.provider, segment.environment, segment.topic, segment.platform, segment.app_version,
          CASE WHEN counted.quarter >= $3 THEN date_trunc('hour', counted.quarter, 'UTC') END
HAVING sum(counted.attempted) > 0
 ORDER BY segment.topic, segment.environment, segment.provider, segment.platform, segment.app_version, hour;
