-- May this transaction take items out of the app's quarantine? Does not wait. 19527 stands for quarantines.
-- $1 app_id
SELECT pg_try_advisory_xact_lock(19527, $1::integer) AS is_locked;
