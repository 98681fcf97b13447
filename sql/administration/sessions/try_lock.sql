-- May this session do what the lock is for? Held until the session ends or unlock. $1 AdvisoryLock, $2 app_id or 0
SELECT pg_try_advisory_lock($1, $2::integer) AS is_locked;
