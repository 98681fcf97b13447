-- The next tokens of a walk through all of them, of all apps. $1 behind this token, $2 at most so many
SELECT token_id, app_id, fingerprint, sealed_value FROM landfall.token WHERE token_id > $1 ORDER BY token_id LIMIT $2;
