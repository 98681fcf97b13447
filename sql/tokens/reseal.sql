-- Sealing of tokens under another token key.

-- name: count_sealed
-- How many tokens of all apps are stored under the token key, and how many of them no longer have a value?
SELECT count(*) AS token_count, count(*) FILTER (WHERE sealed_value IS NULL) AS tombstone_count FROM landfall.token;

-- name: next_sealed
-- The next tokens of a walk through those of all apps. $1 after this token, $2 limit
SELECT token_id, app_id, fingerprint, sealed_value, sealed_keys
FROM landfall.token WHERE token_id > $1 ORDER BY token_id LIMIT $2;

-- name: reseal_tokens
-- Stores tokens sealed under another key. $1 token_id[], $2 fingerprint[], $3 sealed_value[] (null: none),
-- $4 sealed_keys[] (null: none)
UPDATE landfall.token
SET fingerprint = resealed.fingerprint, sealed_value = resealed.sealed_value, sealed_keys = resealed.sealed_keys
FROM unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::bytea[])
     AS resealed (token_id, fingerprint, sealed_value, sealed_keys)
WHERE token.token_id = resealed.token_id;
