-- Which VoIP and Live Activity pushes went to topics under which the app registers tokens, but none of the kind they need?
--
-- Parameters: $1 app, $2 from (inclusive), at a quarter hour, $3 how many of the newest active tokens to read.
-- Grain: one row per environment, topic and push type, the one with the most pushes first. `kind` is the kind registered there
-- most often.

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
                          WHERE segment_id = sent.segment_id
                            AND provider = 'apns' AND push_type IN ('voip', 'liveactivity')
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
SELECT typed.environment, typed.topic, typed.push_type, typed.attempted,
       (array_agg(registered.kind ORDER BY registered.tokens DESC, registered.kind))[1] AS kind
  FROM typed
  JOIN registered ON registered.environment = typed.environment AND registered.topic = typed.topic
 WHERE typed.attempted > 0
 GROUP BY typed.environment, typed.topic, typed.push_type, typed.attempted
HAVING NOT bool_or(CASE typed.push_type WHEN 'voip' THEN registered.kind = 'voip'
                                        ELSE registered.kind IN ('live_activity_start', 'live_activity_update') END)
 ORDER BY typed.attempted DESC, typed.environment, typed.topic, typed.push_type;
