-- Tokens and installations at present.

-- name: token_status
-- How many tokens are in which state?
--
-- Parameters: $1 app.
-- Grain: one row per state, kind and environment; active first, retired last.

SELECT state, kind, environment, count(*) AS tokens
  FROM landfall.token
 WHERE app_id = $1
 GROUP BY state, kind, environment
 ORDER BY array_position(ARRAY['active', 'suspect', 'stale', 'retired'], state), tokens DESC, kind, environment;

-- name: installations
-- How many installations are there, what did their users turn off, and how many got no token?
--
-- Parameters: $1 app.
-- Grain: one row. Erased installations are counted separately: only their number is left of them.

SELECT count(*) FILTER (WHERE erased_at IS NULL)     AS installations,
       count(*) FILTER (WHERE erased_at IS NOT NULL) AS erased_installations,
       count(*) FILTER (WHERE turned_off IS NOT NULL)                  AS with_settings,
       count(*) FILTER (WHERE 'alert' = ANY (turned_off))               AS alert,
       count(*) FILTER (WHERE 'sound' = ANY (turned_off))               AS sound,
       count(*) FILTER (WHERE 'badge' = ANY (turned_off))               AS badge,
       count(*) FILTER (WHERE 'lock_screen' = ANY (turned_off))         AS lock_screen,
       count(*) FILTER (WHERE 'notification_center' = ANY (turned_off)) AS notification_center,
       count(*) FILTER (WHERE registration_error <> '')                AS failed
  FROM landfall.installation
 WHERE app_id = $1;
