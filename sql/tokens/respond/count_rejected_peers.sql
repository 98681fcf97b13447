-- How many pushes to tokens of the same app version, environment and topic are rejected at present? One row per requested group,
-- with its position.
-- $1 app_id[], $2 provider[], $3 environment[], $4 topic[], $5 app_version[], $6 count from this instant, $7 stop at this many
-- rejected tokens
-- The counters are cheap to read but contain no tokens. Rejected tokens are counted as well, because many pushes to one token are
-- no pattern.
-- The segments come first, so that the counters of the window are read once and not once per segment.
WITH peer_group AS MATERIALIZED (
    SELECT asked.*,
           ARRAY(SELECT segment.segment_id
                 FROM landfall.segment
                 WHERE segment.app_id = asked.app_id
                   AND starts_with(segment.provider, asked.provider)
                   AND segment.environment = asked.environment
                   AND segment.topic = asked.topic
                   AND segment.app_version = asked.app_version) AS segment_ids
    FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[])
         WITH ORDINALITY AS asked (app_id, provider, environment, topic, app_version, position)
)
SELECT peer_group.position,
       pushed.attempted_count,
       pushed.rejected_count,
       suspected.token_count
FROM peer_group
CROSS JOIN LATERAL (
    SELECT coalesce(sum(notifications) FILTER (WHERE measure.attempted), 0)::bigint AS attempted_count,
           coalesce(sum(notifications) FILTER (WHERE measure.rejected_token_suspect), 0)::bigint AS rejected_count
    FROM landfall.counter_by_quarter AS counted
    CROSS JOIN LATERAL landfall.measures(counted.state) AS measure
    WHERE counted.app_id = peer_group.app_id
      AND counted.quarter >= $6
      AND counted.segment_id + 0 = ANY (peer_group.segment_ids)
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
          AND peer.last_rejected_at >= $6
          AND coalesce(installation.app_version, '') = peer_group.app_version
        LIMIT $7
    ) AS peer
) AS suspected;
