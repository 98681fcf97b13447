-- Sets a setting of an app.
-- $1 app_id, $2 name, $3 value (JSON text)
UPDATE landfall.app SET settings = settings || jsonb_build_object($2::text, $3::text::jsonb) WHERE app_id = $1;
