-- Takes the lock, waiting if necessary, and holds it until the transaction ends. $1 AdvisoryLock, $2 app_id
SELECT pg_advisory_xact_lock($1, $2::integer)::text IS NOT NULL AS is_locked;
