-- Adds a batch's changes to the counters: -n in the state that notifications left, +n in their new one.
-- $1 state_change[], sorted by key; $2 shard
INSERT INTO landfall.counter_live AS known (
    app_id, quarter, campaign_id, segment_id, response_id, notifications, state, shard
)
SELECT app_id, quarter, campaign_id, segment_id, response_id, notifications, state, $2
FROM unnest($1::landfall.state_change[]) AS change
ON CONFLICT (app_id, quarter, campaign_id, segment_id, response_id, state, shard) DO UPDATE SET
    notifications = known.notifications + excluded.notifications;
