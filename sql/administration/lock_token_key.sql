-- May this session move everything to another token key? Only when nobody holds the key. Until the session ends or unlock.
SELECT pg_try_advisory_lock(19534, 0) AS is_locked;
