-- Lets other sessions import into the app. $1 app_id
SELECT pg_advisory_unlock(19533, $1::integer) AS was_locked;
