-- Which registered tokens do responses name under another topic, environment or provider than the app registered them under?
--
-- Parameters: $1 app, $2 start (inclusive) for the last response about them, $3 how many of the newest such addresses to read.
-- Grain: one row per pair of named address and registered address, the one with the most tokens first; one row without a provider
-- if there are none. `attempted` counts all pushes.

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
     CROSS JOIN LATERAL (SELECT known.provider, known.environment, known.topic
                           FROM landfall.token AS known
                          WHERE known.token_id = said.token_id
                         OFFSET 0) AS registered
     GROUP BY 1, 2, 3, 4, 5, 6
)
SELECT pushes.attempted, mistaken.provider, mistaken.environment, mistaken.topic, mistaken.registered_provider,
       mistaken.registered_environment, mistaken.registered_topic, mistaken.tokens
  FROM pushes
  LEFT JOIN mistaken ON true
 ORDER BY mistaken.tokens DESC, 2, 3, 4, 5, 6, 7;
