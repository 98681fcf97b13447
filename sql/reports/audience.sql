-- The audience: installations that could be shown a notification.

-- name: audience
-- How many installations could be shown a notification at present?
--
-- Parameters: $1 app, $2 kinds of token that show notifications, $3 now. Grain: one row. It covers only the
-- present (docs/decisions/0030).
--
-- A token that no installation has registered counts on its own, under its negative id. The audience is
-- computed by grouping, because the planner expects one row from each table without statistics and would join
-- badly (docs/decisions/0032).

WITH target AS (
    SELECT coalesce(installation_id, -token_id) AS target_id, true AS has_token, false AS is_out
      FROM landfall.token
     WHERE app_id = $1 AND state = 'active' AND kind = ANY ($2) AND (expires_at IS NULL OR expires_at > $3)
    UNION ALL
    SELECT installation_id, false, true
      FROM landfall.installation
     WHERE app_id = $1 AND (permission = 'denied' OR erased_at IS NOT NULL)
), shown AS (
    SELECT target_id
      FROM target
     GROUP BY target_id
    HAVING bool_or(has_token) AND NOT bool_or(is_out)
)
SELECT count(*) AS audience
  FROM shown;

-- name: audience_reached
-- How many installations could be shown a notification now, and how many did one sent in a window reach?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours, $4 campaigns and $5
-- variants to keep (null: all), $6 segments to keep (null: all), bits of delivery.state: $7 accepted, $8 any
--             sign that the device had it; $9 kinds of token that show notifications, $10 now.
-- Grain: one row. Installations counted as reached here are part of the audience; reach.sql also counts those
-- that have left it since.
--
-- The audience is that of the statement audience, computed by grouping as there.

WITH target AS (
    SELECT coalesce(installation_id, -token_id) AS target_id, true AS has_token, false AS is_out, false AS is_reached
      FROM landfall.token
     WHERE app_id = $1 AND state = 'active' AND kind = ANY ($9) AND (expires_at IS NULL OR expires_at > $10)
    UNION ALL
    SELECT installation_id, false, true, false
      FROM landfall.installation
     WHERE app_id = $1 AND (permission = 'denied' OR erased_at IS NOT NULL)
    UNION ALL
    SELECT coalesce(delivery.installation_id, owner.installation_id, -delivery.token_id), false, false, true
      FROM landfall.delivery
      -- Nearly all rows have their installation: one lookup for each of the others.
      LEFT JOIN LATERAL (
               SELECT token.installation_id
                 FROM landfall.token
                WHERE delivery.installation_id IS NULL AND token.token_id = delivery.token_id
               OFFSET 0
           ) AS owner ON true
     WHERE delivery.app_id = $1 AND delivery.sent_at >= $2 AND delivery.sent_at < $3
       AND delivery.state & $7 <> 0 AND delivery.state & $8 <> 0
       AND ($6::bigint[] IS NULL OR delivery.segment_id = ANY ($6))
       AND {{is_selected(delivery.campaign_id; $1; $4; $5)}}
), shown AS (
    SELECT bool_or(is_reached) AS is_reached
      FROM target
     GROUP BY target_id
    HAVING bool_or(has_token) AND NOT bool_or(is_out)
)
SELECT count(*) AS audience, count(*) FILTER (WHERE is_reached) AS reached
  FROM shown;

-- name: audience_count
-- How large was an app's audience when maintenance last counted it?
-- Parameters: $1 app, $2 counted at this instant or later.
-- Grain: one row; none if it was not counted since then.
SELECT audience, counted_at
  FROM landfall.audience_count
 WHERE app_id = $1 AND counted_at >= $2;
