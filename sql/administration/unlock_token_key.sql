-- Lets servers use the token key again.
SELECT pg_advisory_unlock(19534, 0) AS was_locked;
