-- Counts the latencies of one day's loaded notifications.
-- $1 app_id, $2 start, $3 end
INSERT INTO landfall.latency_rollup (app_id, quarter, campaign_id, stage, bucket, shard, notifications)
SELECT app_id, date_bin('15 minutes', sent_at, timestamptz 'epoch'), campaign_id, 'arrival',
       landfall.latency_bucket_of(arrived_after_ms), 0, count(*)
FROM landfall.delivery
WHERE app_id = $1 AND sent_at >= $2 AND sent_at < $3 AND arrived_after_ms IS NOT NULL
GROUP BY 1, 2, 3, 5;
