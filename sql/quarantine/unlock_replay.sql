-- Lets other sessions replay the app's quarantine. $1 app_id
SELECT pg_advisory_unlock(19528, $1::integer) AS was_locked;
