-- What speaks for a wrong environment where these tokens are refused? One row per token.
-- $1 token_id[], $2 outcome_class[] of the refusals, $3 right now is since this instant, $4 so many refused tokens are enough
-- The counters name no tokens but are cheap to read; refused tokens are counted beside them, because one token that is sent
-- to again and again is no pattern.
WITH refused AS MATERIALIZED (
    SELECT token.token_id,
           token.app_id,
           token.provider,
           token.environment,
           token.topic,
           token.fingerprint,
           coalesce(installation.app_version, '') AS app_version,
           asked.outcome_class
    FROM unnest($1::bigint[], $2::text[]) AS asked (token_id, outcome_class)
    JOIN landfall.token
      ON token.token_id = asked.token_id
    LEFT JOIN landfall.installation
      ON installation.installation_id = token.installation_id
), peer_group AS (
    SELECT app_id, provider, environment, topic, app_version, outcome_class, count(*) AS token_count
    FROM refused
    GROUP BY app_id, provider, environment, topic, app_version, outcome_class
), weighed AS MATERIALIZED (
    SELECT peer_group.*,
           pushed.attempted_count,
           pushed.refused_count,
           least(greatest(peer_group.token_count, suspected.token_count) - 1, $4::bigint) AS refused_peer_count
    FROM peer_group
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(counted.attempted), 0)::bigint AS attempted_count,
               coalesce(sum(CASE peer_group.outcome_class
                                WHEN 'token_suspect' THEN counted.rejected_token_suspect
                                WHEN 'wrong_topic' THEN counted.rejected_wrong_topic
                                WHEN 'auth_error' THEN counted.rejected_auth_error
                            END), 0)::bigint AS refused_count
        FROM landfall.segment_rollup AS counted
        JOIN landfall.segment
          ON segment.segment_id = counted.segment_id
        WHERE counted.app_id = peer_group.app_id
          AND counted.quarter >= $3
          AND segment.app_id = peer_group.app_id
          AND starts_with(segment.provider, peer_group.provider)
          AND segment.environment = peer_group.environment
          AND segment.topic = peer_group.topic
          AND segment.app_version = peer_group.app_version
    ) AS pushed
    CROSS JOIN LATERAL (
        SELECT count(*) AS token_count
        FROM (
            SELECT 1
            FROM landfall.token AS peer
            LEFT JOIN landfall.installation
              ON installation.installation_id = peer.installation_id
            WHERE peer.app_id = peer_group.app_id
              AND peer.state = 'suspect'
              AND peer.provider = peer_group.provider
              AND peer.environment = peer_group.environment
              AND peer.topic = peer_group.topic
              AND peer.last_refused_at >= $3
              AND coalesce(installation.app_version, '') = peer_group.app_version
            LIMIT $4 + 1
        ) AS peer
    ) AS suspected
)
SELECT refused.token_id,
       elsewhere.environment,
       elsewhere.last_registered_at,
       elsewhere.last_accepted_at,
       weighed.app_version,
       weighed.attempted_count,
       weighed.refused_count,
       weighed.refused_peer_count
FROM refused
JOIN weighed
  ON weighed.app_id = refused.app_id
 AND weighed.provider = refused.provider
 AND weighed.environment = refused.environment
 AND weighed.topic = refused.topic
 AND weighed.app_version = refused.app_version
 AND weighed.outcome_class = refused.outcome_class
LEFT JOIN LATERAL (
    SELECT sibling.environment, sibling.last_registered_at, sibling.last_accepted_at
    FROM landfall.token AS sibling
    WHERE sibling.fingerprint = refused.fingerprint
      AND sibling.app_id = refused.app_id
      AND sibling.provider = refused.provider
      AND sibling.environment <> refused.environment
      AND (sibling.last_registered_at IS NOT NULL OR sibling.last_accepted_at IS NOT NULL)
    ORDER BY greatest(sibling.last_registered_at, sibling.last_accepted_at) DESC
    LIMIT 1
) AS elsewhere ON true;
