-- How many tokens of an app are not retired?
-- $1 app_id
SELECT count(*) AS token_count FROM landfall.token WHERE app_id = $1 AND state <> 'retired';
