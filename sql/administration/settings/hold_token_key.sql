-- May this session use the token key, and which one is it? Held, beside any number of others, until the session ends.
-- $1 AdvisoryLock
SELECT pg_try_advisory_lock_shared($1, 0)                                  AS is_held,
       (SELECT value FROM landfall.setting WHERE name = 'token_key_check') AS check_value;
