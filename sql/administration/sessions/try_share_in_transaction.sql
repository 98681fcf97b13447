-- Shares the lock with others that share it, unless one has it alone; without waiting. Held until the transaction ends.
-- $1 AdvisoryLock, $2 app_id
SELECT pg_try_advisory_xact_lock_shared($1, $2::integer) AS is_locked;
