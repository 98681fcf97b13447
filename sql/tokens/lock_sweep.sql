-- May this session sweep the app? Held until the session ends or unlock_sweep. The first number is Landfall's own, 'LF'.
-- $1 app_id
SELECT pg_try_advisory_lock(19526, $1::integer) AS is_locked;
