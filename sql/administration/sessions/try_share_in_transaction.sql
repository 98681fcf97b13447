-- Shares the lock until the transaction ends, without waiting, unless another session has it exclusively.
-- $1 AdvisoryLock, $2 app_id
SELECT pg_try_advisory_xact_lock_shared($1, $2::integer) AS is_locked;
