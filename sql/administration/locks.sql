-- Advisory locks: until the end of a transaction, or held by one that stays open for the purpose.

-- name: lock_in_transaction
-- Takes the lock, waiting if necessary, and holds it until the transaction ends. $1 AdvisoryLock, $2 app_id
SELECT pg_advisory_xact_lock($1, $2::integer)::text IS NOT NULL AS is_locked;

-- name: try_lock_in_transaction
-- Takes the lock if it is free, without waiting. Held until the transaction ends. $1 AdvisoryLock, $2 app_id
SELECT pg_try_advisory_xact_lock($1, $2::integer) AS is_locked;

-- name: try_share_in_transaction
-- Shares the lock until the transaction ends, without waiting, unless another session has it exclusively.
-- $1 AdvisoryLock, $2 app_id
SELECT pg_try_advisory_xact_lock_shared($1, $2::integer) AS is_locked;

-- name: begin_holding
-- Begins a transaction that stays open to hold a lock, and that no timeout of the role or the database ends.
-- The settings apply until its end; transaction_timeout exists since PostgreSQL 17.
BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY;
SELECT set_config(name, '0', true)
FROM pg_settings
WHERE name IN ('idle_in_transaction_session_timeout', 'idle_session_timeout', 'transaction_timeout');

-- name: check_lock
-- Is the transaction that holds a lock still open? Fails if its session has ended.
SELECT true AS is_open;

-- name: end_transaction
-- Ends a transaction that was open to hold a lock.
COMMIT;
