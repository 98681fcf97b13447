-- What do the rules need to know about these tokens? One row per token.
-- $1 token_id[]
SELECT token_id, state, installation_id, last_registered_at, last_accepted_at, first_rejected_at, last_rejected_at,
       cause, died_at, is_vouched, first_ignored_at, ignored_count, returned_at
FROM landfall.token
WHERE token_id = ANY ($1::bigint[]);
