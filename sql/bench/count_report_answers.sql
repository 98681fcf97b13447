-- Counts the rejections of one day by answer, as landfall verify counts them. $1 app_id, $2 from (inclusive) and $3 to (exclusive)
-- Bits of delivery.state: 1 attempted, 2 accepted.
INSERT INTO landfall.rejection_rollup (app_id, quarter, campaign_id, segment_id, answer_id, slot, rejected)
SELECT app_id, date_bin('15 minutes', sent_at, '2000-01-01 00:00:00+00'), campaign_id, segment_id, answer_id, 0, count(*)
FROM landfall.delivery
WHERE app_id = $1 AND sent_at >= $2 AND sent_at < $3 AND state & 3 = 1
GROUP BY 1, 2, 3, 4, 5;
