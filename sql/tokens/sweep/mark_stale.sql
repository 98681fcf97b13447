-- One batch of a sweep: marks silent tokens stale and records that in the ledger. One row: how many, and the last token that was
-- read; null if there is none after $6.
-- $1 app_id, $2 silent since before this instant, $3 now, $4 run_id, $5 limit, $6 after this token: those before are done,
-- $7 tokens of this state, $8 reads at most this many
-- token_state_idx leads from each batch to the next, so that no token is read twice.
WITH silent AS MATERIALIZED (
    SELECT near.token_id, near.installation_id, near.last_sign_of_life_at
    FROM (SELECT token.token_id, token.installation_id, token.last_sign_of_life_at
          FROM landfall.token
          WHERE token.state = $7 AND token.app_id = $1 AND token.token_id > $6
          ORDER BY token.token_id
          LIMIT $8) AS near
    WHERE near.last_sign_of_life_at < $2
    ORDER BY near.token_id
    LIMIT $5
), quiet AS MATERIALIZED (
    -- Locked in the order in which signs of life lock them. An earlier sign is visible here; a later one waits, and then finds a
    -- stale token that it makes active.
    SELECT silent.token_id, silent.installation_id,
           greatest(silent.last_sign_of_life_at, installation.last_sign_of_life_at) AS since
    FROM silent
    JOIN landfall.installation ON installation.installation_id = silent.installation_id
    -- No index supports this condition, so the planner finds these installations by their ids and not through all of the app's.
    WHERE installation.app_id IS NOT DISTINCT FROM $1
      AND installation.last_sign_of_life_at < $2
    ORDER BY installation.device_id
    FOR UPDATE OF installation
), marking AS (
    SELECT token_id, installation_id, since FROM quiet
    UNION ALL
    SELECT token_id, installation_id, last_sign_of_life_at FROM silent WHERE installation_id IS NULL
), marked AS (
    UPDATE landfall.token
    SET state = 'stale', cause = 'stale', state_changed_at = $3
    FROM marking
    WHERE token.token_id = marking.token_id
      AND token.state IS NOT DISTINCT FROM $7
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
            ELSE (SELECT max(near.token_id)
                  FROM (SELECT token.token_id
                        FROM landfall.token
                        WHERE token.state = $7 AND token.app_id = $1 AND token.token_id > $6
                        ORDER BY token.token_id
                        LIMIT $8) AS near)
       END AS furthest;
