-- Which id does an app have? No row if it is not in this cell.
-- $1 slug
SELECT app_id FROM landfall.app WHERE slug = $1;
