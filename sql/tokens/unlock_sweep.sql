-- Lets other sessions sweep the app. $1 app_id
SELECT pg_advisory_unlock(19526, $1::integer) AS was_locked;
