-- Which builds and addresses have pushes rejected for reasons other than provider failures, throttling and dead tokens?
--
-- Parameters: $1 app, $2 start (inclusive) of the week before, $3 start (inclusive) and $4 end (exclusive) of the recent window,
-- all at quarter hours.
-- Grain: one row per provider, environment, topic, platform, app version and hour (UTC) of sending; the whole week before is one
-- row without an hour. `unknown` excludes pushes without a response (status 0).

WITH counted AS (
    SELECT segment_id, CASE WHEN quarter >= $3 THEN date_trunc('hour', quarter, 'UTC') END AS hour,
           coalesce(sum(notifications) FILTER (WHERE measure.attempted), 0)::bigint                  AS attempted,
           coalesce(sum(notifications) FILTER (WHERE measure.rejected_wrong_environment), 0)::bigint AS wrong_environment,
           coalesce(sum(notifications) FILTER (WHERE measure.rejected_wrong_topic), 0)::bigint       AS wrong_topic,
           coalesce(sum(notifications) FILTER (WHERE measure.rejected_auth_error), 0)::bigint        AS auth_error,
           coalesce(sum(notifications) FILTER (WHERE measure.rejected_token_suspect), 0)::bigint     AS token_suspect,
           coalesce(sum(notifications) FILTER (WHERE measure.rejected_payload_error), 0)::bigint     AS payload_error,
           coalesce(sum(notifications) FILTER (WHERE measure.rejected_request_error), 0)::bigint     AS request_error,
           coalesce(sum(notifications) FILTER (WHERE measure.rejected_unknown
                                                 AND (response_id IN (SELECT response_id
                                                                      FROM landfall.provider_response
                                                                     WHERE status = 0 AND outcome_class = 'unknown'))
                                                     IS NOT TRUE), 0)::bigint                        AS unknown
      FROM landfall.counter_by_quarter AS counter
     CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
     WHERE app_id = $1
       AND quarter >= $2 AND quarter < $4
     GROUP BY 1, 2
)
SELECT segment.provider, segment.environment, segment.topic, segment.platform, segment.app_version, counted.hour,
       sum(counted.attempted)::bigint         AS attempted,
       sum(counted.wrong_environment)::bigint AS wrong_environment,
       sum(counted.wrong_topic)::bigint       AS wrong_topic,
       sum(counted.auth_error)::bigint        AS auth_error,
       sum(counted.token_suspect)::bigint     AS token_suspect,
       sum(counted.payload_error)::bigint     AS payload_error,
       sum(counted.request_error)::bigint     AS request_error,
       sum(counted.unknown)::bigint           AS unknown
  FROM counted
 CROSS JOIN LATERAL (SELECT provider, environment, topic, platform, app_version
                       FROM landfall.segment
                      WHERE segment_id = counted.segment_id
                     OFFSET 0) AS segment
 GROUP BY segment.provider, segment.environment, segment.topic, segment.platform, segment.app_version, counted.hour
HAVING sum(counted.attempted) > 0
 ORDER BY segment.topic, segment.environment, segment.provider, segment.platform, segment.app_version, counted.hour;
