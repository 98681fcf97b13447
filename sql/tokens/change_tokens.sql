-- Writes what the rules decided, where the token is still as the rules saw it, to the millisecond. One row per token written.
-- $1 token_id[]; as the rules saw them: $2 state[], $3 last_registered_at[], $4 last_accepted_at[], $5 first_refused_at[],
-- $6 last_refused_at[], $7 died_at[]; as they are to be: $8 state[], $9 cause[], $10 last_accepted_at[], $11 first_refused_at[],
-- $12 last_refused_at[], $13 died_at[]; $14 now
-- No index is to lead from a state to its millions of tokens, hence IS NOT DISTINCT FROM.
UPDATE landfall.token
SET state            = change.state,
    cause            = change.cause,
    last_accepted_at = change.last_accepted_at,
    first_refused_at = change.first_refused_at,
    last_refused_at  = change.last_refused_at,
    died_at          = change.died_at,
    state_changed_at = CASE WHEN change.state = token.state THEN token.state_changed_at ELSE $14 END
FROM unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[],
            $7::timestamptz[], $8::text[], $9::text[], $10::timestamptz[], $11::timestamptz[], $12::timestamptz[],
            $13::timestamptz[])
     AS change (token_id, state_before, registered_before, accepted_before, first_refused_before, last_refused_before,
                died_before, state, cause, last_accepted_at, first_refused_at, last_refused_at, died_at)
WHERE token.token_id = change.token_id
  AND token.state IS NOT DISTINCT FROM change.state_before
  AND date_trunc('milliseconds', token.last_registered_at) IS NOT DISTINCT FROM change.registered_before
  AND date_trunc('milliseconds', token.last_accepted_at) IS NOT DISTINCT FROM change.accepted_before
  AND date_trunc('milliseconds', token.first_refused_at) IS NOT DISTINCT FROM change.first_refused_before
  AND date_trunc('milliseconds', token.last_refused_at) IS NOT DISTINCT FROM change.last_refused_before
  AND date_trunc('milliseconds', token.died_at) IS NOT DISTINCT FROM change.died_before
RETURNING token.token_id;
