-- Gives up one hold of the token key by this session.
SELECT pg_advisory_unlock_shared(19534, 0) AS was_held;
