-- Inquiries before a token counts as bad: its value in other environments, the other tokens of its build.

-- name: find_known_elsewhere
-- What is known about these tokens, and in which other environment was the same value registered or accepted?
-- One row per token.
-- $1 token_id[]
SELECT token.token_id, token.app_id, token.provider, token.environment, token.topic,
       coalesce(installation.app_version, '') AS app_version,
       sibling.environment AS other_environment, sibling.last_registered_at AS other_registered_at,
       sibling.last_accepted_at AS other_accepted_at
FROM landfall.token
LEFT JOIN landfall.installation ON installation.installation_id = token.installation_id
LEFT JOIN LATERAL (
    SELECT known.environment, known.last_registered_at, known.last_accepted_at
    FROM (SELECT environment, last_registered_at, last_accepted_at
          FROM landfall.token AS other
          WHERE other.fingerprint = token.fingerprint AND other.app_id = token.app_id
            AND other.provider = token.provider AND other.environment <> token.environment
          UNION ALL
          SELECT environment, NULL, last_accepted_at
          FROM landfall.token_other_address AS said
          WHERE said.token_id = token.token_id AND said.provider = token.provider
            AND said.environment <> token.environment) AS known
    WHERE known.last_registered_at IS NOT NULL OR known.last_accepted_at IS NOT NULL
    ORDER BY greatest(known.last_registered_at, known.last_accepted_at) DESC LIMIT 1
) AS sibling ON true
WHERE token.token_id = ANY ($1::bigint[]);

-- name: count_rejected_peers
-- How many pushes to tokens of the same app version, environment and topic are rejected at present? One row
-- per requested group, with its position.
-- $1 app_id[], $2 provider[], $3 environment[], $4 topic[], $5 app_version[], $6 count from this instant, $7
-- stop at this many rejected tokens The counters are cheap to read but contain no tokens. Rejected tokens are
-- counted as well, because many pushes to one token are no pattern. The segments come first, so that the
-- counters of the window are read once and not once per segment.
WITH peer_group AS MATERIALIZED (
    SELECT asked.*,
           ARRAY(SELECT segment.segment_id
                 FROM landfall.segment
                 WHERE segment.app_id = asked.app_id AND starts_with(segment.provider, asked.provider)
                   AND segment.environment = asked.environment AND segment.topic = asked.topic
                   AND segment.app_version = asked.app_version) AS segment_ids
    FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[])
         WITH ORDINALITY AS asked (app_id, provider, environment, topic, app_version, position)
)
SELECT peer_group.position, pushed.attempted_count, pushed.rejected_count, suspected.token_count
FROM peer_group
CROSS JOIN LATERAL (
    SELECT coalesce(sum(notifications) FILTER (WHERE measure.attempted), 0)::bigint AS attempted_count,
           coalesce(sum(notifications) FILTER (WHERE measure.rejected_token_suspect), 0)::bigint AS rejected_count
    FROM landfall.counter_by_quarter AS counted
    CROSS JOIN LATERAL landfall.measures(counted.state) AS measure
    WHERE counted.app_id = peer_group.app_id AND counted.quarter >= $6
      AND counted.segment_id + 0 = ANY (peer_group.segment_ids)
) AS pushed
CROSS JOIN LATERAL (
    SELECT count(*) AS token_count
    FROM (
        SELECT 1
        FROM landfall.token AS peer
        LEFT JOIN landfall.installation ON installation.installation_id = peer.installation_id
        WHERE peer.app_id = peer_group.app_id AND peer.state = 'suspect'
          AND peer.provider = peer_group.provider AND peer.environment = peer_group.environment
          AND peer.topic = peer_group.topic AND peer.last_rejected_at >= $6
          AND coalesce(installation.app_version, '') = peer_group.app_version
        LIMIT $7
    ) AS peer
) AS suspected;
