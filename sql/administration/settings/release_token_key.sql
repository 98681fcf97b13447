-- Releases one of this session's shared locks on the token key. $1 AdvisoryLock
SELECT pg_advisory_unlock_shared($1, 0) AS was_held;
