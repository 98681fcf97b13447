-- Stores a new signing key, unless two of its kind are valid: one is in use, and one replaces it.
-- $1 app_id, $2 kind, $3 digest, $4 prefix, $5 now, $6 sealed_key
INSERT INTO landfall.api_key (app_id, kind, digest, prefix, created_at, sealed_key)
SELECT $1, $2, $3, $4, $5, $6
WHERE (SELECT count(*) FROM landfall.api_key WHERE app_id = $1 AND kind = $2 AND revoked_at IS NULL) < 2
RETURNING api_key_id;
