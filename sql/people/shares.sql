-- Links that show one page to anyone who has them.

-- name: create_share_link
-- Creates a link that shows one page.
-- $1 app_id, $2 digest, $3 path, $4 title, $5 is_rolling, $6 created_by, $7 now, $8 expires_at
INSERT INTO landfall.share_link (app_id, digest, path, title, is_rolling, created_by, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
RETURNING share_link_id;

-- name: find_share_link
-- Which page does this link show? No row if it is revoked, expired or unknown.
-- $1 digest, $2 now
SELECT share_link_id AS id, path, title, is_rolling, created_by, link.created_at, expires_at, app_id,
       coalesce(known.slug, app.slug) AS slug, coalesce(known.cell, 0) AS cell
FROM landfall.share_link AS link
LEFT JOIN landfall.app USING (app_id)
LEFT JOIN landfall.app_cell AS known USING (app_id)
WHERE digest = $1 AND expires_at > $2 AND coalesce(known.slug, app.slug) IS NOT NULL;

-- name: list_share_links
-- Which pages of an app are shared? One row per link that works, the newest first.
-- $1 app_id, $2 now, $3 the app's slug
SELECT share_link_id AS id, path, title, is_rolling, created_by, created_at, expires_at, app_id,
       $3::text AS slug
FROM landfall.share_link
WHERE app_id = $1 AND expires_at > $2
ORDER BY share_link_id DESC;

-- name: revoke_share_link
-- Revokes a link. No row if the app has no such link.
-- $1 app_id, $2 share_link_id
DELETE FROM landfall.share_link WHERE app_id = $1 AND share_link_id = $2
RETURNING share_link_id;
