-- Stores tokens sealed under another key. $1 token_id[], $2 fingerprint[], $3 sealed_value[], null if there is none
UPDATE landfall.token SET fingerprint = resealed.fingerprint, sealed_value = resealed.sealed_value
FROM unnest($1::bigint[], $2::bytea[], $3::bytea[]) AS resealed (token_id, fingerprint, sealed_value)
WHERE token.token_id = resealed.token_id;
