-- Takes the lock if it is free, without waiting. Held until the transaction ends. $1 AdvisoryLock, $2 app_id
SELECT pg_try_advisory_xact_lock($1, $2::integer) AS is_locked;
