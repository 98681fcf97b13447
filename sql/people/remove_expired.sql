-- Removes sessions and links that no longer work.
-- $1 now; sessions last used until $2, or started until $3
WITH links AS (
    DELETE FROM landfall.sign_in_link WHERE expires_at <= $1
), shares AS (
    DELETE FROM landfall.share_link WHERE expires_at <= $1
)
DELETE FROM landfall.session WHERE last_seen_at <= $2 OR started_at <= $3;
