-- Lets other sessions maintain the database.
SELECT pg_advisory_unlock(19529, 0) AS was_locked;
