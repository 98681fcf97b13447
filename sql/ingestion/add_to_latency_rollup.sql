-- Adds a batch's changes to the counters of latency.
-- $1 latency_change[], sorted by key; $2 shard
INSERT INTO landfall.latency_rollup AS known (app_id, quarter, campaign_id, stage, bucket, shard, notifications)
SELECT app_id, quarter, campaign_id, stage, bucket, $2, notifications
FROM unnest($1::landfall.latency_change[]) AS change
ON CONFLICT (app_id, quarter, campaign_id, stage, bucket, shard) DO UPDATE SET
    notifications = known.notifications + excluded.notifications;
