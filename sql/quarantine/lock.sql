-- Waits until nobody else takes items out of the app's quarantine; the lock goes with the transaction.
-- $1 app_id
SELECT pg_advisory_xact_lock(19527, $1::integer)::text IS NOT NULL AS is_locked;
