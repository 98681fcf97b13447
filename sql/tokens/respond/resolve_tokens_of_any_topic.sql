-- Which tokens do these addresses name, and who holds them? At most one row per address; none for an unknown token.
-- $1 app_id[], $2 provider[], $3 environment[], $4 topic[], $5 fingerprint[]
-- For addresses that resolve_tokens.sql did not find: an address without a topic matches the token under any topic, and a token
-- first seen without a topic matches any.
WITH asked AS (
    SELECT address.*
    FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bytea[])
         WITH ORDINALITY AS address (app_id, provider, environment, topic, fingerprint, position)
)
SELECT DISTINCT ON (asked.position)
       asked.position,
       token.token_id,
       token.state,
       token.installation_id,
       token.last_registered_at,
       token.last_accepted_at,
       token.first_rejected_at,
       token.last_rejected_at,
       token.cause,
       token.died_at,
       token.platform,
       token.app_version,
       token.os_version,
       token.language,
       token.permission,
       token.kind,
       token.topic
FROM asked
JOIN landfall.token
  ON token.fingerprint = asked.fingerprint
 AND token.app_id = asked.app_id
 AND token.provider = asked.provider
 AND token.environment = asked.environment
 AND (token.topic = asked.topic OR asked.topic = '' OR token.topic = '')
ORDER BY asked.position, token.topic = asked.topic DESC, token.last_registered_at DESC NULLS LAST, token.token_id;
