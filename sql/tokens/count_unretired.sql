-- How many tokens of an app are neither retired nor over their time?
-- $1 app_id, $2 now
SELECT count(*) AS token_count
FROM landfall.token
WHERE app_id = $1 AND state <> 'retired' AND (expires_at IS NULL OR expires_at > $2);
