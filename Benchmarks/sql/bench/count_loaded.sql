-- Counts loaded notifications as ingestion would have done: landfall verify must find no difference.
-- $1 app_id, $2 from (inclusive) and $3 to (exclusive); bits of state: 1 attempted, 2 accepted
INSERT INTO landfall.counter_live (app_id, quarter, campaign_id, segment_id, response_id, notifications, state, shard)
SELECT app_id, date_bin('15 minutes', sent_at, '2000-01-01 00:00:00+00'), campaign_id, segment_id,
       CASE WHEN state & 2 = 0 THEN response_id ELSE 0 END, count(*), state, 0
FROM landfall.delivery
WHERE app_id = $1 AND sent_at >= $2 AND sent_at < $3 AND state & 1 <> 0
GROUP BY 1, 2, 3, 4, 5, 7
ORDER BY 1, 2, 3, 4, 5, 7;
