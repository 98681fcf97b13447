-- Transitions of tokens by the rules, and their rows of the ledger.

-- name: read_tokens
-- What do the rules need to know about these tokens? One row per token.
-- $1 token_id[]
SELECT token_id, state, installation_id, last_registered_at, last_accepted_at, first_rejected_at, last_rejected_at,
       cause, died_at, is_vouched, {{unproven(token)}} AS is_unproven, first_ignored_at, ignored_count, returned_at
FROM landfall.token
WHERE token_id = ANY ($1::bigint[]);

-- name: change_tokens
-- Writes what the rules decided, if the token is still as the rules read it, to the millisecond. One row per
-- token written.
-- $1 token_change[], $2 now The rules have milliseconds; other programs may have written microseconds. IS NOT
-- DISTINCT FROM keeps the planner from using an index that leads from a state to its millions of tokens.
UPDATE landfall.token
SET (state, cause, last_accepted_at, first_rejected_at, last_rejected_at, died_at, first_ignored_at,
     ignored_count) =
    (change.state, change.cause, change.last_accepted_at, change.first_rejected_at, change.last_rejected_at,
     change.died_at, change.first_ignored_at, change.ignored_count),
    state_changed_at = CASE WHEN change.state = token.state THEN token.state_changed_at ELSE $2 END
FROM unnest($1::landfall.token_change[]) AS change
WHERE token.token_id = change.token_id AND token.state IS NOT DISTINCT FROM change.state_before
  AND token.ignored_count = change.ignored_before
  AND (token.last_registered_at IS NOT DISTINCT FROM change.registered_before
       OR date_bin('1 ms', token.last_registered_at, '1970-01-01 00:00:00+00') = change.registered_before)
  AND (token.last_accepted_at IS NOT DISTINCT FROM change.accepted_before
       OR date_bin('1 ms', token.last_accepted_at, '1970-01-01 00:00:00+00') = change.accepted_before)
  AND (token.first_rejected_at IS NOT DISTINCT FROM change.first_rejected_before
       OR date_bin('1 ms', token.first_rejected_at, '1970-01-01 00:00:00+00') = change.first_rejected_before)
  AND (token.last_rejected_at IS NOT DISTINCT FROM change.last_rejected_before
       OR date_bin('1 ms', token.last_rejected_at, '1970-01-01 00:00:00+00') = change.last_rejected_before)
  AND (token.died_at IS NOT DISTINCT FROM change.died_before
       OR date_bin('1 ms', token.died_at, '1970-01-01 00:00:00+00') = change.died_before)
RETURNING token.token_id;

-- name: record_transitions
-- Writes rows of the ledger, in the order given.
-- $1 app_id[], $2 token_id[], $3 from_state[], $4 to_state[], $5 rule[], $6 evidence (JSON text)[], $7 now
INSERT INTO landfall.token_transition (app_id, token_id, at, from_state, to_state, rule, evidence)
SELECT app_id, token_id, $7, from_state, to_state, rule, evidence::jsonb
FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[])
     WITH ORDINALITY AS transition (app_id, token_id, from_state, to_state, rule, evidence, position)
ORDER BY position;
