-- May this session import into the app? Held until the session ends or unlock_import. 19533 stands for imports.
-- $1 app_id
SELECT pg_try_advisory_lock(19533, $1::integer) AS is_locked;
