-- Removes an app's own setting, so that the default applies again.
-- $1 app_id, $2 name
UPDATE landfall.app SET settings = settings - $2::text WHERE app_id = $1;
