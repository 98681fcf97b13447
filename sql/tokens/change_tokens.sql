-- Writes what the rules decided, where the token is still as the rules saw it. One row per token written.
-- $1 token_id[], $2 state before[], $3 last_registered_at before[], $4 state[], $5 cause[], $6 last_accepted_at[],
-- $7 first_refused_at[], $8 last_refused_at[], $9 now
UPDATE landfall.token
SET state            = change.state,
    cause            = change.cause,
    last_accepted_at = change.last_accepted_at,
    first_refused_at = change.first_refused_at,
    last_refused_at  = change.last_refused_at,
    state_changed_at = CASE WHEN change.state = token.state THEN token.state_changed_at ELSE $9 END
FROM unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[],
            $8::timestamptz[])
     AS change (token_id, state_before, registered_before, state, cause, last_accepted_at, first_refused_at,
                last_refused_at)
WHERE token.token_id = change.token_id
  AND token.state = change.state_before
  AND token.last_registered_at IS NOT DISTINCT FROM change.registered_before
RETURNING token.token_id;
