-- How large was an app's audience when maintenance last counted it?
-- Parameters: $1 app, $2 counted at this instant or later.
-- Grain: one row; none if it was not counted since then.
SELECT audience, counted_at
  FROM landfall.audience_count
 WHERE app_id = $1 AND counted_at >= $2;
