-- Takes the shared lock on the token key, which any number of sessions can hold at once, until the session ends, and reads the
-- key's check value.
-- $1 AdvisoryLock
SELECT pg_try_advisory_lock_shared($1, 0)                                  AS is_held,
       (SELECT value FROM landfall.setting WHERE name = 'token_key_check') AS check_value;
