-- May this session use the token key, and which one is it? Held, beside any number of others, until the session ends.
-- 19534 stands for the token key.
SELECT pg_try_advisory_lock_shared(19534, 0)                                       AS is_held,
       (SELECT value FROM landfall.setting WHERE name = 'token_key_check') AS check_value;
