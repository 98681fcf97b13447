-- One batch of a sweep: marks silent tokens stale, and says so in the ledger. One row per token.
-- $1 app_id, $2 silent since before this instant, $3 now, $4 run_id, $5 at most so many,
-- $6 behind this token: what lies before it is done
WITH silent AS (
    SELECT token.token_id, token.state, greatest(token.last_sign_of_life_at, installation.last_sign_of_life_at) AS since
    FROM landfall.token
    LEFT JOIN landfall.installation ON installation.installation_id = token.installation_id
    WHERE token.app_id = $1
      AND token.state IN ('active', 'suspect')
      AND token.last_sign_of_life_at < $2
      AND (installation.last_sign_of_life_at IS NULL OR installation.last_sign_of_life_at < $2)
      AND token.token_id > $6
    ORDER BY token.token_id
    LIMIT $5
), marked AS (
    UPDATE landfall.token
    SET state = 'stale', cause = 'stale', state_changed_at = $3
    FROM silent
    WHERE token.token_id = silent.token_id
      AND token.state = silent.state
      AND token.last_sign_of_life_at < $2
    RETURNING token.token_id, silent.state AS state_before, silent.since
)
INSERT INTO landfall.token_transition (app_id, token_id, at, from_state, to_state, rule, evidence, run_id)
SELECT $1, token_id, $3, state_before, 'stale', 'stale',
       jsonb_build_object('silent_since', (extract(epoch FROM since) * 1000)::bigint), $4
FROM marked
ORDER BY token_id
RETURNING token_id;
