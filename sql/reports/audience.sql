-- How many installations could be shown a notification as things stand?
--
-- Parameters: $1 app, $2 kinds of token that show notifications, $3 now.
-- Grain: one row. It knows the present only (docs/decisions/0030).
--
-- A token that no installation has registered stands for itself, under its negative id.

WITH shown AS (
    SELECT coalesce(token.installation_id, -token.token_id) AS target_id
      FROM landfall.token
      LEFT JOIN landfall.installation
             ON installation.app_id = token.app_id AND installation.installation_id = token.installation_id
     WHERE token.app_id = $1
       AND token.state = 'active'
       AND token.kind = ANY ($2)
       AND (token.expires_at IS NULL OR token.expires_at > $3)
       AND installation.permission IS DISTINCT FROM 'denied'
       AND installation.erased_at IS NULL
)
SELECT count(DISTINCT target_id) AS audience
  FROM shown;
