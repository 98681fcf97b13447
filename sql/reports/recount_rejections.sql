-- By which answers do the notifications themselves say they were rejected?
--
-- Parameters: $1 from (inclusive) and $2 to (exclusive) of sent_at, bits of delivery.state: $3 attempted, $4 accepted,
--             $5 app, or null for all.
-- Grain: one row per app, quarter hour, campaign, segment and answer.

SELECT app_id,
       date_bin('15 minutes', sent_at, '2000-01-01 00:00:00+00') AS quarter,
       campaign_id,
       segment_id,
       answer_id,
       count(*) AS rejected
  FROM landfall.delivery
 WHERE sent_at >= $1 AND sent_at < $2
   AND ($5::bigint IS NULL OR app_id = $5)
   AND state & $3 <> 0 AND state & $4 = 0
 GROUP BY app_id, quarter, campaign_id, segment_id, answer_id;
