-- Responses whose notification_id another push has.

-- name: find_tokens_of_other_devices
-- Which of these pairs of tokens are on different devices, as far as known? Two tokens have one device if
-- they have one value (a response named it under another address) or if one installation registered both.
-- One row per pair of different devices: its number, from 1. Reads only.
-- $1 token_id[], $2 the other token_id[], $3 app_id[]
-- OFFSET 0 makes the planner look up each token in the index, however many it expects.
SELECT pair.number
FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])
     WITH ORDINALITY AS pair (token_id, other_id, app_id, number)
CROSS JOIN LATERAL (
    SELECT token.fingerprint, token.installation_id
    FROM landfall.token
    WHERE token.token_id = pair.token_id AND token.app_id = pair.app_id
    OFFSET 0
) AS token
CROSS JOIN LATERAL (
    SELECT token.fingerprint, token.installation_id
    FROM landfall.token
    WHERE token.token_id = pair.other_id AND token.app_id = pair.app_id
    OFFSET 0
) AS other
WHERE token.fingerprint <> other.fingerprint
  AND (token.installation_id = other.installation_id) IS NOT TRUE;
