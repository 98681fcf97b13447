-- Releases the lock. $1 AdvisoryLock, $2 app_id or 0
SELECT pg_advisory_unlock($1, $2::integer) AS was_locked;
