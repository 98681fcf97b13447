-- How many installations could be shown a notification at present?
--
-- Parameters: $1 app, $2 kinds of token that show notifications, $3 now.
-- Grain: one row. It covers only the present (docs/decisions/0030).
--
-- A token that no installation has registered counts on its own, under its negative id. The audience is computed by grouping,
-- because the planner expects one row from each table without statistics and would join badly (docs/decisions/0032).

WITH target AS (
    SELECT coalesce(installation_id, -token_id) AS target_id, true AS has_token, false AS is_out
      FROM landfall.token
     WHERE app_id = $1
       AND state = 'active'
       AND kind = ANY ($2)
       AND (expires_at IS NULL OR expires_at > $3)
    UNION ALL
    SELECT installation_id, false, true
      FROM landfall.installation
     WHERE app_id = $1
       AND (permission = 'denied' OR erased_at IS NOT NULL)
), shown AS (
    SELECT target_id
      FROM target
     GROUP BY target_id
    HAVING bool_or(has_token) AND NOT bool_or(is_out)
)
SELECT count(*) AS audience
  FROM shown;
