-- Which tokens do senders name under another topic, environment or provider than the one that the app registered them under?
--
-- Parameters: $1 app, $2 from (inclusive) of the first or last response about them, $3 look at this many of the newest tokens that
--             no app has registered.
-- Grain: one row per address that senders name and address that is registered, the most tokens first.

WITH unregistered AS MATERIALIZED (
    SELECT token_id, fingerprint, provider, environment, topic
      FROM (SELECT *
              FROM landfall.token
             WHERE app_id = $1 AND installation_id IS NULL
             ORDER BY token_id DESC
             LIMIT $3) AS newest
     WHERE greatest(first_seen_at, last_accepted_at, last_refused_at) >= $2
)
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
 ORDER BY tokens DESC, 1, 2, 3, 4, 5, 6;
