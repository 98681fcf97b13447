-- How many tokens of an app have expired but are not retired yet?
-- $1 app_id, $2 now
SELECT count(*) AS token_count
FROM landfall.token
WHERE app_id = $1 AND expires_at <= $2 AND state <> 'retired';
