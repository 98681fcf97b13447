-- How many tokens are in which state?
--
-- Parameters: $1 app.
-- Grain: one row per state, kind and environment; active first, retired last.

SELECT state, kind, environment, count(*) AS tokens
  FROM landfall.token
 WHERE app_id = $1
 GROUP BY state, kind, environment
 ORDER BY array_position(ARRAY['active', 'suspect', 'stale', 'retired'], state), tokens DESC, kind, environment;
