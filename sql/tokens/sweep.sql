-- A sweep: its plan, then its batches.

-- name: read_hearing
-- When did the app last hear from any device, and for how many days must its tokens be silent? $1 app_id
SELECT known.heard_at, (app.settings ->> 'stale_after_days')::bigint AS stale_after_days,
       (app.settings ->> 'sweep_after_days')::bigint AS sweep_after_days
FROM landfall.app
LEFT JOIN landfall.app_sign_of_life AS known ON known.app_id = app.app_id
WHERE app.app_id = $1;

-- name: count_unretired
-- How many tokens of an app are neither retired nor expired?
-- $1 app_id, $2 now The states are listed because an index leads to those of one app; "not retired" would
-- read the tokens of all apps.
SELECT count(*) AS token_count FROM landfall.token
WHERE app_id = $1 AND state IN ('active', 'suspect', 'stale') AND (expires_at IS NULL OR expires_at > $2);

-- name: plan_sweep
-- What would a sweep change? One row per rule (stale, swept), state, cause of that state and time of silence,
-- with counts.
-- $1 app_id, $2 now, $3 what is silent since before this instant becomes stale, $4 what is stale since before
-- this one is retired Expired tokens are left out: retiring them is no judgment. The states are listed
-- because an index leads to those of one app; "not retired" would read the tokens of all apps. A token is
-- silent since the last registration, check-in or device event of itself or its installation.
WITH judged AS (
    SELECT token.token_id, token.state, token.cause, token.state_changed_at,
           greatest(token.last_sign_of_life_at, installation.last_sign_of_life_at) AS last_sign_of_life_at
    FROM landfall.token
    LEFT JOIN landfall.installation ON installation.installation_id = token.installation_id
    WHERE token.app_id = $1 AND token.state IN ('active', 'suspect', 'stale')
      AND (token.expires_at IS NULL OR token.expires_at > $2)
)
SELECT CASE WHEN state = 'stale' THEN 'swept' ELSE 'stale' END AS rule,
       state AS "from",
       CASE WHEN state = 'suspect' THEN cause END AS cause,
       (extract(day FROM $2 - last_sign_of_life_at)::bigint / 30) * 30 AS silent_days,
       count(*) AS token_count
FROM judged
WHERE (state <> 'stale' AND last_sign_of_life_at < $3)
   OR (state = 'stale' AND state_changed_at < $4)
GROUP BY rule, state, 3, silent_days
ORDER BY rule, state, 3, silent_days;

-- name: plan_audience
-- How many installations are in the audience before a sweep, and how many would the sweep remove from it?
-- $1 app_id, $2 tokens silent since before this instant become stale, $3 kinds of token that show
-- notifications, $4 now A token without an installation counts on its own.
WITH member AS (
    SELECT coalesce(token.installation_id, -token.token_id) AS target,
           bool_and(greatest(token.last_sign_of_life_at, installation.last_sign_of_life_at) < $2) AS is_lost
    FROM landfall.token
    LEFT JOIN landfall.installation ON installation.installation_id = token.installation_id
    WHERE token.app_id = $1 AND token.state = 'active' AND token.kind = ANY ($3::text[])
      AND (token.expires_at IS NULL OR token.expires_at > $4)
      AND coalesce(installation.permission, '') <> 'denied' AND installation.erased_at IS NULL
    GROUP BY target
)
SELECT count(*) AS audience_count, count(*) FILTER (WHERE is_lost) AS lost_count FROM member;

-- part: else_furthest_read
            ELSE (SELECT max(near.token_id)
                  FROM (SELECT token.token_id
                        FROM landfall.token
                        WHERE token.state = $7 AND token.app_id = $1 AND token.token_id > $6
                        ORDER BY token.token_id LIMIT $8) AS near)
       END AS furthest;

-- name: mark_stale
-- One batch of a sweep: marks silent tokens stale and records that in the ledger. One row: how many, and the
-- last token that was read; null if there is none after $6.
-- $1 app_id, $2 silent since before this instant, $3 now, $4 run_id, $5 limit, $6 after this token: those
-- before are done, $7 tokens of this state, $8 reads at most this many. token_state_idx leads from each batch
-- to the next, so that no token is read twice.
WITH silent AS MATERIALIZED (
    SELECT near.token_id, near.installation_id, near.last_sign_of_life_at
    FROM (SELECT token.token_id, token.installation_id, token.last_sign_of_life_at
          FROM landfall.token
          WHERE token.state = $7 AND token.app_id = $1 AND token.token_id > $6
          ORDER BY token.token_id LIMIT $8) AS near
    WHERE near.last_sign_of_life_at < $2
    ORDER BY near.token_id LIMIT $5
), quiet AS MATERIALIZED (
    -- Locked in the order in which signs of life lock them. An earlier sign is visible here; a later one
    -- waits, and then finds a stale token that it makes active.
    SELECT installation_id, last_sign_of_life_at
    FROM landfall.installation
    WHERE installation_id = ANY (ARRAY(SELECT installation_id FROM silent))
      -- No index supports this condition, so the planner finds these by id, not through all of the app's.
      AND app_id IS NOT DISTINCT FROM $1 AND last_sign_of_life_at < $2
    ORDER BY device_id
    FOR UPDATE
), marking AS (
    -- A window, not a join, which would compare each with each if the planner expects few.
    SELECT token_id, installation_id, greatest(last_sign_of_life_at, quiet_since) AS since
    FROM (SELECT token_id, installation_id, last_sign_of_life_at,
                 max(quiet_since) OVER (PARTITION BY installation_id) AS quiet_since
          FROM (SELECT token_id, installation_id, last_sign_of_life_at, NULL::timestamptz AS quiet_since FROM silent
                UNION ALL
                SELECT NULL, installation_id, NULL, last_sign_of_life_at FROM quiet) AS either) AS known
    WHERE token_id IS NOT NULL AND (installation_id IS NULL OR quiet_since IS NOT NULL)
), marked AS (
    UPDATE landfall.token
    SET state = 'stale', cause = 'stale', state_changed_at = $3
    FROM marking
    WHERE token.token_id = marking.token_id AND token.state IS NOT DISTINCT FROM $7
      AND token.installation_id IS NOT DISTINCT FROM marking.installation_id
      AND token.last_sign_of_life_at < $2
    RETURNING token.token_id, marking.since
), noted AS (
    INSERT INTO landfall.token_transition (app_id, token_id, at, from_state, to_state, rule, evidence, run_id)
    SELECT $1, token_id, $3, $7, 'stale', 'stale',
           jsonb_build_object('silent_since', (extract(epoch FROM since) * 1000)::bigint), $4
    FROM marked
    ORDER BY token_id
    RETURNING 1
)
SELECT (SELECT count(*) FROM noted) AS changed_count,
       CASE WHEN (SELECT count(*) FROM silent) = $5
            THEN (SELECT max(token_id) FROM silent)
{{else_furthest_read}}

-- name: retire_stale
-- One batch of a sweep: retires tokens that were stale for too long and erases their values; the fingerprint
-- stays, so that the token is known if it comes back. One row: how many, and the last token that was read;
-- null if there is none after $6.
-- $1 app_id, $2 stale since before this instant, $3 now, $4 run_id, $5 limit, $6 after this token: those
-- before are done, $7 stale, $8 reads at most this many. token_state_idx leads from each batch to the next,
-- so that no token is read twice.
WITH outlived AS MATERIALIZED (
    SELECT near.token_id, near.state_changed_at
    FROM (SELECT token.token_id, token.state_changed_at
          FROM landfall.token
          WHERE token.state = $7 AND token.app_id = $1 AND token.token_id > $6
          ORDER BY token.token_id LIMIT $8) AS near
    WHERE near.state_changed_at < $2
    ORDER BY near.token_id LIMIT $5
), retired AS (
    UPDATE landfall.token
    SET state = 'retired', cause = 'swept', sealed_value = NULL, sealed_keys = NULL,
        state_changed_at = $3
    FROM outlived
    WHERE token.token_id = outlived.token_id AND token.state IS NOT DISTINCT FROM $7
      AND token.state_changed_at = outlived.state_changed_at
    RETURNING token.token_id, outlived.state_changed_at AS stale_since
), noted AS (
    INSERT INTO landfall.token_transition (app_id, token_id, at, from_state, to_state, rule, evidence, run_id)
    SELECT $1, token_id, $3, $7, 'retired', 'swept',
           jsonb_build_object('stale_since', (extract(epoch FROM stale_since) * 1000)::bigint), $4
    FROM retired
    ORDER BY token_id
    RETURNING 1
)
SELECT (SELECT count(*) FROM noted) AS changed_count,
       CASE WHEN (SELECT count(*) FROM outlived) = $5
            THEN (SELECT max(token_id) FROM outlived)
{{else_furthest_read}}
