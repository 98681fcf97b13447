-- Counts the latencies of one day's notifications, as landfall verify counts them. $1 app_id, $2 from
-- (inclusive), $3 to (exclusive) Bits of delivery.state: 1 attempted, 2 accepted, 8 arrived, 32 clicked.
INSERT INTO landfall.latency_rollup (app_id, quarter, campaign_id, stage, bucket, shard, notifications)
SELECT app_id, date_bin('15 minutes', sent_at, '2000-01-01 00:00:00+00'), campaign_id, step.stage,
       landfall.latency_bucket_of(step.ms), 0, count(*)
FROM landfall.delivery
CROSS JOIN LATERAL (
    VALUES ('arrival', 11, arrived_after_ms), ('click', 43, clicked_after_ms - arrived_after_ms)
) AS step (stage, bits, ms)
WHERE app_id = $1 AND sent_at >= $2 AND sent_at < $3 AND state & step.bits = step.bits AND step.ms IS NOT NULL
GROUP BY 1, 2, 3, 4, 5;
