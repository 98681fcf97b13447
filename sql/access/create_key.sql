-- Stores a new key by its digest.
-- $1 app_id, $2 kind, $3 digest, $4 prefix, $5 now
INSERT INTO landfall.api_key (app_id, kind, digest, prefix, created_at) VALUES ($1, $2, $3, $4, $5)
RETURNING api_key_id;
