-- Diagnoses of rejected pushes: by build and address, in the providers' words, and for dead tokens.

-- name: rejections
-- Which builds and addresses have pushes rejected, except for provider failures, throttling and dead tokens?
--
-- Parameters: $1 app, $2 start (inclusive) of the week before, $3 start (inclusive) and $4 end (exclusive) of
-- the recent window, all at quarter hours. Grain: one row per provider, environment, topic, platform, app
-- version and hour (UTC) of sending; the whole week before is one row without an hour. `unknown` excludes
-- pushes without a response (status 0).

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
     WHERE app_id = $1 AND quarter >= $2 AND quarter < $4
     GROUP BY 1, 2
)
SELECT provider, environment, topic, platform, app_version, hour, sum(attempted)::bigint AS attempted,
       sum(wrong_environment)::bigint AS wrong_environment, sum(wrong_topic)::bigint AS wrong_topic,
       sum(auth_error)::bigint AS auth_error, sum(token_suspect)::bigint AS token_suspect,
       sum(payload_error)::bigint AS payload_error, sum(request_error)::bigint AS request_error,
       sum(unknown)::bigint AS unknown
  FROM counted
 CROSS JOIN LATERAL (SELECT provider, environment, topic, platform, app_version
                       FROM landfall.segment
                      WHERE segment_id = counted.segment_id
                     OFFSET 0) AS segment
 GROUP BY provider, environment, topic, platform, app_version, hour
HAVING sum(attempted) > 0
 ORDER BY topic, environment, provider, platform, app_version, hour;

-- name: rejection_responses
-- In which words did providers reject pushes, for which builds and addresses, and what is known about these?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours, $4 classes of
-- rejection. Grain: one row per provider, environment, topic, platform, app version, hour (UTC) of sending
-- and response, the most frequent first.

WITH rejected AS (
    SELECT segment_id, date_trunc('hour', quarter, 'UTC') AS hour, response_id, sum(notifications)::bigint AS rejected
      FROM landfall.counter_by_quarter
     WHERE app_id = $1 AND response_id <> 0 AND quarter >= $2 AND quarter < $3
     GROUP BY 1, 2, 3
), counted AS (
    SELECT provider AS sent_through, environment, topic, platform, app_version, hour, response_id,
           sum(rejected.rejected)::bigint AS rejected
      FROM rejected
     CROSS JOIN LATERAL (SELECT provider, environment, topic, platform, app_version
                           FROM landfall.segment
                          WHERE segment_id = rejected.segment_id
                         OFFSET 0) AS segment
     GROUP BY provider, environment, topic, platform, app_version, hour, response_id
    HAVING sum(rejected.rejected) > 0
)
SELECT sent_through, environment, topic, platform, app_version, hour, response.provider, response.status,
       nullif(response.reason, '') AS reason, rejection_class, retry, token_verdict, rejected
  FROM counted
 CROSS JOIN LATERAL (SELECT known.provider, known.status, known.reason, known.outcome_class AS rejection_class,
                            coalesce(listed.retryable, 'no') AS retry,
                            coalesce(listed.token_verdict, 'keep') AS token_verdict
                       FROM landfall.provider_response AS known
                       LEFT JOIN LATERAL ({{listed_response(known.provider; known.status; known.reason)}}) AS listed ON true
                      WHERE known.response_id = counted.response_id
                        AND known.outcome_class = ANY ($4::text[]) AND known.status <> 0
                     OFFSET 0) AS response
 ORDER BY rejected DESC, response.status, response.reason, platform, app_version, hour;

-- name: dead_tokens
-- How many pushes were rejected for a dead token, and how many were clicked, recently and in the week before?
--
-- Parameters: $1 app, $2 start (inclusive) of the week before, $3 start (inclusive) and $4 end (exclusive) of
-- the recent window, all at quarter hours. Grain: one row per platform and app version.

WITH counted AS (
    SELECT segment_id, quarter >= $3 AS is_late,
           coalesce(sum(notifications) FILTER (WHERE measure.attempted), 0)::bigint           AS attempted,
           coalesce(sum(notifications) FILTER (WHERE measure.rejected_token_dead), 0)::bigint AS dead,
           coalesce(sum(notifications) FILTER (WHERE measure.confirmed), 0)::bigint           AS confirmed,
           coalesce(sum(notifications) FILTER (WHERE measure.clicked), 0)::bigint             AS clicked
      FROM landfall.counter_by_quarter AS counter
     CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
     WHERE app_id = $1 AND quarter >= $2 AND quarter < $4
     GROUP BY 1, 2
)
SELECT platform, app_version,
       coalesce(sum(attempted) FILTER (WHERE is_late), 0)::bigint     AS attempted,
       coalesce(sum(dead) FILTER (WHERE is_late), 0)::bigint          AS dead,
       coalesce(sum(confirmed) FILTER (WHERE is_late), 0)::bigint     AS confirmed,
       coalesce(sum(clicked) FILTER (WHERE is_late), 0)::bigint       AS clicked,
       coalesce(sum(attempted) FILTER (WHERE NOT is_late), 0)::bigint AS attempted_before,
       coalesce(sum(dead) FILTER (WHERE NOT is_late), 0)::bigint      AS dead_before,
       coalesce(sum(confirmed) FILTER (WHERE NOT is_late), 0)::bigint AS confirmed_before,
       coalesce(sum(clicked) FILTER (WHERE NOT is_late), 0)::bigint   AS clicked_before
  FROM counted
 CROSS JOIN LATERAL (SELECT platform, app_version
                       FROM landfall.segment
                      WHERE segment_id = counted.segment_id
                     OFFSET 0) AS segment
 GROUP BY platform, app_version
HAVING sum(counted.attempted) > 0
 ORDER BY attempted DESC, platform, app_version;
