-- Takes the lock if it is free. Held until the session ends or unlock.sql. $1 AdvisoryLock, $2 app_id or 0
SELECT pg_try_advisory_lock($1, $2::integer) AS is_locked;
