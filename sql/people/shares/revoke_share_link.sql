-- Revokes a link. No row if the app has no such link.
-- $1 app_id, $2 share_link_id
DELETE FROM landfall.share_link WHERE app_id = $1 AND share_link_id = $2
RETURNING share_link_id;
