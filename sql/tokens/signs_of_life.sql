-- Signs of life of installations, tokens and apps. Stale tokens become active again.

-- name: find_reporters
-- Which installations do these devices have? One row per installation found, with its position; also erased
-- ones.
-- $1 app_id[], $2 device_id[]
SELECT asked.position, installation.installation_id
FROM unnest($1::bigint[], $2::uuid[]) WITH ORDINALITY AS asked (app_id, device_id, position)
JOIN landfall.installation ON installation.app_id = asked.app_id AND installation.device_id = asked.device_id;

-- name: touch_installations
-- Updates the last sign of life of installations that are not erased, at most once a day each. One row per
-- installation found, updated or not: its position, its id, its previous sign of life, whether it is erased,
-- and whether it had said that it has no token. An event contradicts that.
-- $1 app_id[], $2 device_id[], $3 instant[], sorted by app_id and device_id
WITH heard AS MATERIALIZED (
    SELECT sign.position, sign.at, known.app_id, known.device_id, known.installation_id, known.last_sign_of_life_at,
           known.erased_at IS NOT NULL AS is_erased, known.tokenless_since IS NOT NULL AS is_tokenless
    FROM unnest($1::bigint[], $2::uuid[], $3::timestamptz[]) WITH ORDINALITY AS sign (app_id, device_id, at, position)
    JOIN landfall.installation AS known
      ON known.app_id = sign.app_id AND known.device_id = sign.device_id
), touched AS (
    UPDATE landfall.installation
    SET last_sign_of_life_at = greatest(installation.last_sign_of_life_at, heard.at), tokenless_since = NULL,
        tokenless_visits = 0
    FROM heard
    WHERE installation.app_id = heard.app_id AND installation.device_id = heard.device_id
      AND NOT heard.is_erased
      AND (heard.at - heard.last_sign_of_life_at >= interval '1 day'
           AND heard.at - installation.last_sign_of_life_at >= interval '1 day'
           OR installation.tokenless_since <= heard.at)
      AND installation.erased_at IS NULL
)
SELECT position, installation_id, last_sign_of_life_at, is_erased, is_tokenless
FROM heard;

-- name: touch_tokens
-- Updates the last sign of life of tokens, at most once a day each. One row per token updated, with its
-- position and state.
-- $1 token_id[], $2 instant[], sorted by token_id
UPDATE landfall.token
SET last_sign_of_life_at = sign.at
FROM unnest($1::bigint[], $2::timestamptz[]) WITH ORDINALITY AS sign (token_id, at, position)
WHERE token.token_id = sign.token_id AND sign.at - token.last_sign_of_life_at >= interval '1 day'
RETURNING sign.position, token.token_id, token.state;

-- name: revive_stale_tokens
-- Makes stale tokens active again that gave a sign of life, themselves or through their installation.
-- $1 token_id[], $2 installation_id[], $3 now, $4 was it a device event: an installation that registers
-- without a token gives no sign of life of the token that it had There may be millions of stale tokens, so
-- these few are not looked up through the state: no index serves IS NOT DISTINCT FROM.
WITH heard AS (
    SELECT token_id FROM unnest($1::bigint[]) AS sign (token_id)
    UNION
    SELECT token_id FROM landfall.token WHERE installation_id = ANY ($2::bigint[]) AND state IS NOT DISTINCT FROM 'stale'
       AND ($4 OR cause IS DISTINCT FROM 'unlisted')
), revived AS (
    UPDATE landfall.token
    SET state = 'active', cause = NULL, state_changed_at = $3
    FROM heard
    WHERE token.token_id = heard.token_id AND token.state IS NOT DISTINCT FROM 'stale'
    RETURNING token.app_id, token.token_id
)
INSERT INTO landfall.token_transition (app_id, token_id, at, from_state, to_state, rule, evidence)
SELECT app_id, token_id, $3, 'stale', 'active', 'sign_of_life', '{}' FROM revived
ORDER BY token_id;

-- name: hear_from_apps
-- Records when each app last heard from a device. The sweep refuses to run if that was over a day ago.
-- $1 app_id[], $2 instant[], sorted by app_id
INSERT INTO landfall.app_sign_of_life AS known (app_id, heard_at)
SELECT app_id, heard_at FROM unnest($1::bigint[], $2::timestamptz[]) AS app (app_id, heard_at)
ON CONFLICT (app_id) DO UPDATE SET heard_at = excluded.heard_at
WHERE known.heard_at < excluded.heard_at;
