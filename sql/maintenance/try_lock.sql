-- May this session maintain the database? Held until the session ends or unlock. 19529 stands for maintenance.
SELECT pg_try_advisory_lock(19529, 0) AS is_locked;
