-- Which tokens do these addresses name, and who holds them? At most one row per address; none for an unknown token.
-- $1 app_id[], $2 provider[], $3 environment[], $4 topic[], $5 fingerprint[]
-- For addresses that resolve_tokens.sql did not find. An address without a topic matches the token under any topic, and a token
-- first seen without a topic matches any. A value that an app has registered under another address is that token, too.
-- `registered` counts the registered tokens that match: with more than one, an address without a topic is ambiguous.
-- OFFSET 0 and the lateral join make the planner look up each address by its fingerprint.
SELECT asked.position,
       token.token_id,
       token.state,
       token.installation_id,
       token.last_registered_at,
       token.last_accepted_at,
       token.first_rejected_at,
       token.last_rejected_at,
       token.cause,
       token.died_at,
       token.is_vouched,
       token.first_ignored_at,
       token.ignored_count,
       token.returned_at,
       token.platform,
       token.app_version,
       token.os_version,
       token.language,
       token.permission,
       token.kind,
       token.provider,
       token.environment,
       token.topic,
       token.registered
FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bytea[])
     WITH ORDINALITY AS asked (app_id, provider, environment, topic, fingerprint, position)
CROSS JOIN LATERAL (
    SELECT known.*,
           count(*) FILTER (WHERE known.last_registered_at IS NOT NULL AND known.matches) OVER () AS registered
    FROM (SELECT candidate.*,
                 candidate.provider = asked.provider AND candidate.environment = asked.environment
                 AND (candidate.topic = asked.topic OR candidate.topic = '' OR asked.topic = '') AS matches
          FROM landfall.token AS candidate
          WHERE candidate.fingerprint = asked.fingerprint
            AND candidate.app_id = asked.app_id
            AND candidate.cause IS DISTINCT FROM 'merged'
          OFFSET 0) AS known
    WHERE known.matches OR known.last_registered_at IS NOT NULL
    ORDER BY known.last_registered_at IS NOT NULL DESC, known.matches DESC, known.topic = asked.topic DESC,
             known.environment = asked.environment DESC, known.last_registered_at DESC NULLS LAST, known.token_id
    LIMIT 1
) AS token;
