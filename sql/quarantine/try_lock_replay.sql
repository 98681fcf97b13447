-- May this session replay the app's quarantine? Held until the session ends or unlock_replay. 19528 stands for replays.
-- $1 app_id
SELECT pg_try_advisory_lock(19528, $1::integer) AS is_locked;
