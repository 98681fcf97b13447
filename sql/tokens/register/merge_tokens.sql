-- Retires the tokens that responses named under other addresses of values that an app has just registered, and records that in
-- the ledger. Only the registered tokens remain.
-- $1 app_id, $2 fingerprint[], $3 token_id[] of the registered tokens, $4 their installation_id[], or null, $5 now
-- Messages that wait for their holder find it by the installation.
WITH found AS MATERIALIZED (
    SELECT token.token_id, token.state, registered.token_id AS successor_id, registered.installation_id
    FROM unnest($2::bytea[], $3::bigint[], $4::bigint[]) AS registered (fingerprint, token_id, installation_id)
    CROSS JOIN LATERAL (
        SELECT known.token_id, known.state
        FROM landfall.token AS known
        WHERE known.fingerprint = registered.fingerprint
          AND known.app_id = $1
          AND known.token_id <> registered.token_id
          AND known.last_registered_at IS NULL
          AND known.cause IS DISTINCT FROM 'merged'
        OFFSET 0
        FOR UPDATE
    ) AS token
), merged AS (
    UPDATE landfall.token
    SET state = 'retired', cause = 'merged', successor_id = found.successor_id, installation_id = found.installation_id,
        state_changed_at = CASE WHEN found.state = 'retired' THEN token.state_changed_at ELSE $5 END
    FROM found
    WHERE token.token_id = found.token_id AND token.state IS NOT DISTINCT FROM found.state
    RETURNING token.token_id, found.state AS state_before, found.successor_id
)
INSERT INTO landfall.token_transition (app_id, token_id, at, from_state, to_state, rule, evidence)
SELECT $1, token_id, $5, state_before, 'retired', 'merged', jsonb_build_object('successor_token_id', successor_id)
FROM merged
ORDER BY token_id;
