-- Which installation is this device? Locks it, so that registrations of one installation follow one another.
-- $1 app_id, $2 device_id
SELECT installation_id FROM landfall.installation WHERE app_id = $1 AND device_id = $2 FOR UPDATE;
