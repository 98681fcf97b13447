-- Creates a link that shows one page.
-- $1 app_id, $2 digest, $3 path, $4 title, $5 is_rolling, $6 created_by, $7 now, $8 expires_at
INSERT INTO landfall.share_link (app_id, digest, path, title, is_rolling, created_by, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
RETURNING share_link_id;
