-- Which items were rejected when they came in, and why?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive) of receipt, both at whole hours.
-- Grain: one row per code, the most frequent first; one row without a code if the quarantine has none. `received` and `rejected`
-- count all items of the app: an item that is posted again is rejected again, but kept once.

WITH intake AS (
    SELECT coalesce(sum(received), 0)::bigint AS received, coalesce(sum(rejected), 0)::bigint AS rejected
      FROM landfall.intake_rollup
     WHERE app_id = $1 AND hour >= $2 AND hour < $3
), kept AS (
    SELECT code, count(*) AS items, count(*) FILTER (WHERE poster = 'device') AS device_items, max(received_at) AS newest
      FROM landfall.quarantined_item
     WHERE app_id = $1 AND received_at >= $2 AND received_at < $3
     GROUP BY code
)
SELECT intake.received, intake.rejected, kept.code, kept.items, kept.device_items, kept.newest
  FROM intake
  LEFT JOIN kept ON true
 ORDER BY kept.items DESC, kept.code;
