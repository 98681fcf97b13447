-- One batch of a sweep: retires tokens that were stale for too long and erases their values; the fingerprint stays, so that the
-- token is known if it comes back. One row: how many, and the last token that was read; null if there is none after $6.
-- $1 app_id, $2 stale since before this instant, $3 now, $4 run_id, $5 limit, $6 after this token: those before are done,
-- $7 stale, $8 reads at most this many
-- token_state_idx leads from each batch to the next, so that no token is read twice.
WITH outlived AS MATERIALIZED (
    SELECT near.token_id, near.state_changed_at
    FROM (SELECT token.token_id, token.state_changed_at
          FROM landfall.token
          WHERE token.state = $7 AND token.app_id = $1 AND token.token_id > $6
          ORDER BY token.token_id
          LIMIT $8) AS near
    WHERE near.state_changed_at < $2
    ORDER BY near.token_id
    LIMIT $5
), retired AS (
    UPDATE landfall.token
    SET state = 'retired', cause = 'swept', sealed_value = NULL, state_changed_at = $3
    FROM outlived
    WHERE token.token_id = outlived.token_id
      AND token.state IS NOT DISTINCT FROM $7
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
            ELSE (SELECT max(near.token_id)
                  FROM (SELECT token.token_id
                        FROM landfall.token
                        WHERE token.state = $7 AND token.app_id = $1 AND token.token_id > $6
                        ORDER BY token.token_id
                        LIMIT $8) AS near)
       END AS furthest;
