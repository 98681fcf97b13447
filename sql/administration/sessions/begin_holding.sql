-- Begins a transaction that stays open to hold a lock, and that no timeout of the role or the database ends. The settings apply
-- until its end; transaction_timeout exists since PostgreSQL 17.
BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY;
SELECT set_config(name, '0', true)
FROM pg_settings
WHERE name IN ('idle_in_transaction_session_timeout', 'idle_session_timeout', 'transaction_timeout');
