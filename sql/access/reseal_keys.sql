-- Stores signing keys sealed under another token key. $1 api_key_id[], $2 sealed_key[]
UPDATE landfall.api_key SET sealed_key = resealed.sealed_key
FROM unnest($1::bigint[], $2::bytea[]) AS resealed (api_key_id, sealed_key)
WHERE api_key.api_key_id = resealed.api_key_id;
