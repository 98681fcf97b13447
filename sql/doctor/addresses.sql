-- Diagnoses of pushes to a wrong address: topic, environment, provider or kind of token.

-- name: mistaken_addresses
-- Which registered tokens do responses name under another topic, environment or provider than the app
-- registered them under?
--
-- Parameters: $1 app, $2 start (inclusive) for the last response about them, $3 how many of the newest such
-- addresses to read. Grain: one row per pair of named address and registered address, the one with the most
-- tokens first; one row without a provider if there are none. `attempted` counts all pushes.

WITH said AS MATERIALIZED (
    SELECT token_id, provider, environment, topic
      FROM landfall.token_other_address
     WHERE app_id = $1 AND last_said_at >= $2
     ORDER BY last_said_at DESC
     LIMIT $3
), pushes AS MATERIALIZED (
    SELECT coalesce(sum(notifications) FILTER (WHERE measure.attempted), 0)::bigint AS attempted
      FROM landfall.headline_by_quarter AS counter
     CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
     WHERE app_id = $1 AND quarter >= $2
), mistaken AS MATERIALIZED (
    SELECT said.provider, said.environment, said.topic,
           registered.provider AS registered_provider, registered.environment AS registered_environment,
           registered.topic AS registered_topic, count(*) AS tokens
      FROM said
     CROSS JOIN LATERAL (SELECT provider, environment, topic
                           FROM landfall.token
                          WHERE token_id = said.token_id
                         OFFSET 0) AS registered
     GROUP BY 1, 2, 3, 4, 5, 6
)
SELECT attempted, provider, environment, topic, registered_provider, registered_environment, registered_topic,
       tokens
  FROM pushes
  LEFT JOIN mistaken ON true
 ORDER BY tokens DESC, 2, 3, 4, 5, 6, 7;

-- name: mistaken_kinds
-- Which VoIP and Live Activity pushes went to topics with tokens of the app, but none of the kind they need?
--
-- Parameters: $1 app, $2 from (inclusive), at a quarter hour, $3 how many of the newest active tokens to
-- read. Grain: one row per environment, topic and push type, the one with the most pushes first. `kind` is
-- the kind registered there most often.

WITH sent AS MATERIALIZED (
    SELECT segment_id, coalesce(sum(notifications) FILTER (WHERE measure.attempted), 0)::bigint AS attempted
      FROM landfall.counter_by_quarter AS counter
     CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
     WHERE app_id = $1 AND quarter >= $2
     GROUP BY segment_id
), typed AS MATERIALIZED (
    SELECT segment.environment, segment.topic, segment.push_type, sum(sent.attempted)::bigint AS attempted
      FROM sent
     CROSS JOIN LATERAL (SELECT environment, topic, push_type
                           FROM landfall.segment
                          WHERE segment_id = sent.segment_id AND provider = 'apns'
                            AND push_type IN ('voip', 'liveactivity')
                         OFFSET 0) AS segment
     GROUP BY segment.environment, segment.topic, segment.push_type
), registered AS MATERIALIZED (
    SELECT environment, topic, kind, count(*) AS tokens
      FROM (SELECT provider, environment, topic, kind, installation_id
              FROM landfall.token
             WHERE state = 'active' AND app_id = $1
             ORDER BY token_id DESC
             LIMIT $3) AS newest
     WHERE provider = 'apns' AND installation_id IS NOT NULL
     GROUP BY environment, topic, kind
)
SELECT 'apns' AS provider, environment, topic, push_type, attempted,
       (array_agg(kind ORDER BY tokens DESC, kind))[1] AS kind
  FROM typed
  JOIN registered USING (environment, topic)
 WHERE attempted > 0
 GROUP BY environment, topic, push_type, attempted
HAVING NOT bool_or(CASE push_type WHEN 'voip' THEN kind = 'voip'
                                  ELSE kind IN ('live_activity_start', 'live_activity_update') END)
 ORDER BY attempted DESC, environment, topic, push_type;
