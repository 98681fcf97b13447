-- How many notifications are in which state, according to the notifications themselves?
--
-- Parameters: $1 from (inclusive) and $2 to (exclusive) of sent_at, bits of delivery.state: $3 attempted, $4 accepted,
--             $5 app, or null for all.
-- Grain: one row per app, quarter hour, campaign, segment, response and state, as in counter_live. Rows with state 0 are
-- pointers.

SELECT app_id,
       date_bin('15 minutes', sent_at, '2000-01-01 00:00:00+00') AS quarter,
       CASE WHEN state & $3 = 0 THEN 0 ELSE coalesce(campaign_id, -1) END AS campaign_id,
       CASE WHEN state & $3 = 0 THEN 0 ELSE coalesce(segment_id, -1) END  AS segment_id,
       CASE WHEN state & $3 = 0 OR state & $4 <> 0 THEN 0 ELSE coalesce(response_id, -1) END AS response_id,
       state,
       count(*) AS notifications
  FROM landfall.delivery
 WHERE sent_at >= $1 AND sent_at < $2
   AND state <> 0
   AND ($5::bigint IS NULL OR app_id = $5)
 GROUP BY 1, 2, 3, 4, 5, 6;
