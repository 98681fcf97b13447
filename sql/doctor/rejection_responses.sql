-- In which words did providers reject pushes, for which builds and addresses, and what is known about these responses?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours, $4 classes of rejection.
-- Grain: one row per provider, environment, topic, platform, app version, hour (UTC) of sending and response, the most frequent
-- first.

WITH rejected AS (
    SELECT segment_id, date_trunc('hour', quarter, 'UTC') AS hour, response_id, sum(notifications)::bigint AS rejected
      FROM landfall.counter_by_quarter
     WHERE app_id = $1 AND response_id <> 0
       AND quarter >= $2 AND quarter < $3
     GROUP BY 1, 2, 3
), counted AS (
    SELECT segment.provider AS sent_through, segment.environment, segment.topic, segment.platform, segment.app_version,
           rejected.hour, rejected.response_id, sum(rejected.rejected)::bigint AS rejected
      FROM rejected
     CROSS JOIN LATERAL (SELECT provider, environment, topic, platform, app_version
                           FROM landfall.segment
                          WHERE segment_id = rejected.segment_id
                         OFFSET 0) AS segment
     GROUP BY segment.provider, segment.environment, segment.topic, segment.platform, segment.app_version, rejected.hour,
              rejected.response_id
    HAVING sum(rejected.rejected) > 0
)
SELECT counted.sent_through, counted.environment, counted.topic, counted.platform, counted.app_version,
       counted.hour, response.provider, response.status, nullif(response.reason, '') AS reason, response.outcome_class, response.retryable,
       response.token_verdict, counted.rejected
  FROM counted
 CROSS JOIN LATERAL (SELECT known.provider, known.status, known.reason, known.outcome_class, listed.retryable,
                            listed.token_verdict
                       FROM landfall.provider_response AS known
                       LEFT JOIN LATERAL landfall.listed_response(known.provider, known.status, known.reason) AS listed ON true
                      WHERE known.response_id = counted.response_id
                        AND known.outcome_class = ANY ($4::text[])
                        AND known.status <> 0
                     OFFSET 0) AS response
 ORDER BY counted.rejected DESC, response.status, response.reason, counted.platform, counted.app_version, counted.hour;
