-- What is known about this value? Locks the token until the registration is done.
-- $1 fingerprint, $2 app_id, $3 provider, $4 environment, $5 topic
-- A token that was first seen or is now registered without a topic is the same token.
SELECT token_id, state, installation_id, last_registered_at, last_accepted_at, first_rejected_at, last_rejected_at,
       cause, died_at, is_vouched, first_ignored_at, ignored_count, returned_at, topic
FROM landfall.token
WHERE fingerprint = $1 AND app_id = $2 AND provider = $3 AND environment = $4 AND (topic = $5 OR topic = '' OR $5 = '')
ORDER BY topic = $5 DESC, last_registered_at DESC NULLS LAST, token_id
LIMIT 1
FOR UPDATE;
