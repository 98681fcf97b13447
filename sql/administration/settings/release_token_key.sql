-- Gives up one hold of the token key by this session. $1 AdvisoryLock
SELECT pg_advisory_unlock_shared($1, 0) AS was_held;
