-- Which page does this link show? No row if it is revoked, expired or unknown.
-- $1 digest, $2 now
SELECT link.share_link_id, link.path, link.title, link.is_rolling, link.created_by, link.created_at, link.expires_at,
       app.app_id, app.slug
FROM landfall.share_link AS link
JOIN landfall.app ON app.app_id = link.app_id
WHERE link.digest = $1 AND link.expires_at > $2;
