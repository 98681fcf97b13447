-- How many tokens of an app are neither retired nor expired?
-- $1 app_id, $2 now
-- The states are listed because an index leads to those of one app; "not retired" would read the tokens of all apps.
SELECT count(*) AS token_count
FROM landfall.token
WHERE app_id = $1 AND state IN ('active', 'suspect', 'stale') AND (expires_at IS NULL OR expires_at > $2);
