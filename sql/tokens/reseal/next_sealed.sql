-- The next tokens of a walk through those of all apps. $1 after this token, $2 limit
SELECT token_id, app_id, fingerprint, sealed_value FROM landfall.token WHERE token_id > $1 ORDER BY token_id LIMIT $2;
