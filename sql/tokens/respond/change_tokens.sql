-- Writes what the rules decided, if the token is still as the rules read it, to the millisecond. One row per token written.
-- $1 token_change[], $2 now
-- The rules have milliseconds; other programs may have written microseconds.
-- IS NOT DISTINCT FROM keeps the planner from using an index that leads from a state to its millions of tokens.
UPDATE landfall.token
SET state            = change.state,
    cause            = change.cause,
    last_accepted_at = change.last_accepted_at,
    first_rejected_at = change.first_rejected_at,
    last_rejected_at  = change.last_rejected_at,
    died_at          = change.died_at,
    first_ignored_at = change.first_ignored_at,
    ignored_count    = change.ignored_count,
    state_changed_at = CASE WHEN change.state = token.state THEN token.state_changed_at ELSE $2 END
FROM unnest($1::landfall.token_change[]) AS change
WHERE token.token_id = change.token_id
  AND token.state IS NOT DISTINCT FROM change.state_before
  AND token.ignored_count = change.ignored_before
  AND (token.last_registered_at IS NOT DISTINCT FROM change.registered_before
       OR date_trunc('milliseconds', token.last_registered_at) = change.registered_before)
  AND (token.last_accepted_at IS NOT DISTINCT FROM change.accepted_before
       OR date_trunc('milliseconds', token.last_accepted_at) = change.accepted_before)
  AND (token.first_rejected_at IS NOT DISTINCT FROM change.first_rejected_before
       OR date_trunc('milliseconds', token.first_rejected_at) = change.first_rejected_before)
  AND (token.last_rejected_at IS NOT DISTINCT FROM change.last_rejected_before
       OR date_trunc('milliseconds', token.last_rejected_at) = change.last_rejected_before)
  AND (token.died_at IS NOT DISTINCT FROM change.died_before
       OR date_trunc('milliseconds', token.died_at) = change.died_before)
RETURNING token.token_id;
