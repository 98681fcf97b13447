-- Which pages of an app are shared? One row per link that works, the newest first.
-- $1 app_id, $2 now
SELECT link.share_link_id, link.path, link.title, link.is_rolling, link.created_by, link.created_at, link.expires_at,
       app.app_id, app.slug
FROM landfall.share_link AS link
JOIN landfall.app ON app.app_id = link.app_id
WHERE link.app_id = $1 AND link.expires_at > $2
ORDER BY link.share_link_id DESC;
