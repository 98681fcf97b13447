-- Addresses in a batch's responses: the tokens that they name, the holders of these, and new tokens.

-- name: resolve_tokens
-- Which tokens do these addresses name, under exactly this topic, and who holds them? At most one row per
-- address.
-- $1 app_id, $2 provider, $3 environment, $4 topic, $5 fingerprint[] A merged token is not one of its own:
-- resolve_tokens_of_any_address finds the registered one. OFFSET 0 keeps the planner from starting with all
-- tokens of the app instead of the few addresses.
SELECT asked.position, token.token_id, token.state, token.installation_id, token.last_registered_at,
       token.last_accepted_at, token.first_rejected_at, token.last_rejected_at, token.cause, token.died_at,
       token.is_vouched, {{unproven(token)}} AS is_unproven, token.first_ignored_at, token.ignored_count,
       token.returned_at, token.platform, token.app_version, token.os_version, token.language, token.permission,
       token.kind
FROM unnest($5::bytea[]) WITH ORDINALITY AS asked (fingerprint, position)
CROSS JOIN LATERAL (
    SELECT known.* FROM landfall.token AS known
    WHERE known.fingerprint = asked.fingerprint AND known.app_id = $1 AND known.provider = $2
      AND known.environment = $3 AND known.topic = $4 AND known.cause IS DISTINCT FROM 'merged'
    OFFSET 0
) AS token;

-- name: resolve_tokens_of_any_address
-- Which tokens do these addresses name, and who holds them? At most one row per address; none for an unknown
-- token.
-- $1 app_id[], $2 provider[], $3 environment[], $4 topic[], $5 fingerprint[] For addresses that
-- resolve_tokens did not find. An address without a topic matches the token under any topic, and a token
-- first seen without a topic matches any. A value that an app has registered under another address is that
-- token, too. `registered` counts the registered tokens that match: with more than one, an address without a
-- topic is ambiguous. OFFSET 0 and the lateral join make the planner look up each address by its fingerprint.
SELECT asked.position, token.token_id, token.state, token.installation_id, token.last_registered_at,
       token.last_accepted_at, token.first_rejected_at, token.last_rejected_at, token.cause, token.died_at,
       token.is_vouched, {{unproven(token)}} AS is_unproven, token.first_ignored_at, token.ignored_count,
       token.returned_at, token.platform, token.app_version, token.os_version, token.language, token.permission,
       token.kind, token.provider, token.environment, token.topic, token.registered
FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bytea[])
     WITH ORDINALITY AS asked (app_id, provider, environment, topic, fingerprint, position)
CROSS JOIN LATERAL (
    SELECT known.*,
           count(*) FILTER (WHERE known.last_registered_at IS NOT NULL AND known.matches) OVER () AS registered
    FROM (SELECT candidate.*,
                 candidate.provider = asked.provider AND candidate.environment = asked.environment
                 AND (candidate.topic = asked.topic OR candidate.topic = '' OR asked.topic = '') AS matches
          FROM landfall.token AS candidate
          WHERE candidate.fingerprint = asked.fingerprint AND candidate.app_id = asked.app_id
            AND candidate.cause IS DISTINCT FROM 'merged'
          OFFSET 0) AS known
    WHERE known.matches OR known.last_registered_at IS NOT NULL
    ORDER BY known.last_registered_at IS NOT NULL DESC, known.matches DESC, known.topic = asked.topic DESC,
             known.environment = asked.environment DESC, known.last_registered_at DESC NULLS LAST, known.token_id
    LIMIT 1
) AS token;

-- name: find_installations
-- Which installations do these devices have? One row per installation found, with its position; none for
-- erased ones.
-- $1 app_id[], $2 device_id[]
SELECT asked.position, installation.installation_id, installation.platform, installation.app_version,
       installation.os_version, installation.language, installation.permission
FROM unnest($1::bigint[], $2::uuid[]) WITH ORDINALITY AS asked (app_id, device_id, position)
JOIN landfall.installation
  ON installation.app_id = asked.app_id AND installation.device_id = asked.device_id
 AND installation.erased_at IS NULL;

-- name: find_devices
-- Which devices do these installations belong to? One row per installation found, with its position; also for
-- erased ones, because pushes were sent to them.
-- $1 app_id[], $2 installation_id[] IS NOT DISTINCT FROM keeps the planner from reading the index of all
-- installations of the app for each.
SELECT asked.position, installation.device_id
FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS asked (app_id, installation_id, position)
JOIN landfall.installation
  ON installation.installation_id = asked.installation_id
 AND installation.app_id IS NOT DISTINCT FROM asked.app_id;

-- name: find_values
-- Which of these texts are values of tokens of their app? One row per such text, its position.
-- $1 app_id[], $2 fingerprint[]
SELECT asked.position
FROM unnest($1::bigint[], $2::bytea[]) WITH ORDINALITY AS asked (app_id, fingerprint, position)
CROSS JOIN LATERAL (SELECT token.token_id
                    FROM landfall.token
                    WHERE token.fingerprint = asked.fingerprint AND token.app_id = asked.app_id
                    LIMIT 1) AS known;

-- name: discover_tokens
-- Adds tokens that a response names and no app has registered, and records that in the ledger. One row per
-- added token: its address' position.
-- $1 app_id[], $2 provider[], $3 environment[], $4 topic[], $5 fingerprint[], $6 kind[], $7 sealed_value[],
-- $8 now, $9 send time of the first push whose response names it[]
-- Fails as intern_campaigns does: if the move ends meanwhile, the batch would be recorded without tokens.
WITH address AS MATERIALIZED (
    SELECT *
    FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::text[], $7::bytea[], $9::timestamptz[])
         WITH ORDINALITY
         AS address (app_id, provider, environment, topic, fingerprint, kind, sealed_value, sent_at, position)
    WHERE app_id <> ALL ({{moving_apps}}) OR landfall.refuse_writing(app_id)
), discovered AS (
    INSERT INTO landfall.token (app_id, provider, environment, topic, fingerprint, kind, sealed_value, state,
                                first_seen_at, last_sign_of_life_at, state_changed_at)
    SELECT app_id, provider, environment, topic, fingerprint, kind, sealed_value, 'active', $8, $8, $8
    FROM address
    ORDER BY fingerprint, app_id, provider, environment, topic
    ON CONFLICT (fingerprint, app_id, provider, environment, topic) DO NOTHING
    RETURNING app_id, token_id, state, provider, environment, topic, fingerprint
), entry AS (
    -- Grouped instead of joined: a join would compare every token with every address.
    SELECT app_id, max(token_id) AS token_id, max(state) AS state, max(sent_at) AS sent_at, max(position) AS position
    FROM (SELECT fingerprint, app_id, provider, environment, topic, token_id, state, NULL::timestamptz AS sent_at,
                 NULL::bigint AS position
          FROM discovered
          UNION ALL
          SELECT fingerprint, app_id, provider, environment, topic, NULL, NULL, sent_at, position FROM address) AS part
    GROUP BY fingerprint, app_id, provider, environment, topic
), recorded AS (
    INSERT INTO landfall.token_transition (app_id, token_id, at, from_state, to_state, rule, evidence)
    SELECT app_id, token_id, $8, NULL, state, 'discovered',
           jsonb_strip_nulls(jsonb_build_object('sent_at', (extract(epoch FROM sent_at) * 1000)::bigint))
    FROM entry
    WHERE token_id IS NOT NULL
    ORDER BY token_id
)
SELECT token_id, position FROM entry
WHERE token_id IS NOT NULL;

-- name: record_other_addresses
-- Records responses about registered tokens under another address, with those tokens.
-- $1 app_id[], $2 token_id[], $3 provider[], $4 environment[], $5 topic[], $6 responses[], $7 send time of
-- the last push that was accepted[] and $8 rejected[], or null, $9 last status[], $10 last reason[], $11 now;
-- each token and address once
INSERT INTO landfall.token_other_address AS known (app_id, token_id, provider, environment, topic, last_said_at,
                                                   response_count, last_accepted_at, last_rejected_at, last_status,
                                                   last_reason)
SELECT app_id, token_id, provider, environment, topic, $11, responses, accepted_at, rejected_at, status, reason
FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::timestamptz[],
            $8::timestamptz[], $9::integer[], $10::text[])
     AS said (app_id, token_id, provider, environment, topic, responses, accepted_at, rejected_at, status, reason)
ORDER BY token_id, provider, environment, topic
ON CONFLICT (token_id, provider, environment, topic) DO UPDATE
SET last_said_at = greatest(known.last_said_at, excluded.last_said_at),
    response_count = known.response_count + excluded.response_count,
    last_accepted_at = greatest(known.last_accepted_at, excluded.last_accepted_at),
    last_rejected_at = greatest(known.last_rejected_at, excluded.last_rejected_at),
    last_status = excluded.last_status, last_reason = excluded.last_reason;
