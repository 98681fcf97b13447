-- Which tokens do senders name under another topic, environment or provider than the one that the app registered them under?
--
-- Parameters: $1 app, $2 start (inclusive) for the first or last response about them, $3 how many of the newest tokens that no
-- app has registered to read.
-- Grain: one row per pair of named address and registered address, the one with the most tokens first; one row without a provider
-- if there are none. `attempted` counts all pushes.

WITH unregistered AS MATERIALIZED (
    SELECT token_id, fingerprint, provider, environment, topic
      FROM (SELECT token_id, fingerprint, provider, environment, topic, first_seen_at, last_accepted_at, last_rejected_at
              FROM landfall.token
             WHERE app_id = $1 AND installation_id IS NULL
             ORDER BY token_id DESC
             LIMIT $3) AS newest
     WHERE greatest(first_seen_at, last_accepted_at, last_rejected_at) >= $2
), pushes AS MATERIALIZED (
    SELECT coalesce(sum(notifications) FILTER (WHERE measure.attempted), 0)::bigint AS attempted
      FROM landfall.headline_by_quarter AS counter
     CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
     WHERE app_id = $1 AND quarter >= $2
), mistaken AS MATERIALIZED (
    SELECT unregistered.provider, unregistered.environment, unregistered.topic,
           registered.provider AS registered_provider, registered.environment AS registered_environment,
           registered.topic AS registered_topic, count(*) AS tokens
      FROM unregistered
     CROSS JOIN LATERAL (SELECT known.provider, known.environment, known.topic
                           FROM landfall.token AS known
                          WHERE known.fingerprint = unregistered.fingerprint
                            AND known.app_id = $1
                            AND known.token_id <> unregistered.token_id
                            AND known.installation_id IS NOT NULL
                          ORDER BY known.last_registered_at DESC NULLS LAST
                          LIMIT 1
                         OFFSET 0) AS registered
     GROUP BY 1, 2, 3, 4, 5, 6
)
SELECT pushes.attempted, mistaken.provider, mistaken.environment, mistaken.topic, mistaken.registered_provider,
       mistaken.registered_environment, mistaken.registered_topic, mistaken.tokens
  FROM pushes
  LEFT JOIN mistaken ON true
 ORDER BY mistaken.tokens DESC, 2, 3, 4, 5, 6, 7;
