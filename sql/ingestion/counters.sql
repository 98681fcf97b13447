-- Additions of a batch to the counters, in the transaction of its rows.

-- Notifications to a segment count for an app version if the version is known and alerts are shown, so that
-- its extension can run.
-- part: speaks_for_version
segment.app_version <> '' AND segment.permission NOT IN ('denied', 'not_determined')

-- name: add_to_counters
-- Adds a batch's changes to the counters: -n in the state that notifications left, +n in their new one.
-- $1 state_change[], sorted by key; $2 shard
INSERT INTO landfall.counter_live AS known (
    app_id, quarter, campaign_id, segment_id, response_id, notifications, state, shard
)
SELECT app_id, quarter, campaign_id, segment_id, response_id, notifications, state, $2
FROM unnest($1::landfall.state_change[]) AS change
ON CONFLICT (app_id, quarter, campaign_id, segment_id, response_id, state, shard) DO UPDATE SET
    notifications = known.notifications + excluded.notifications;

-- name: add_to_latency_rollup
-- Adds a batch's changes to the counters of latency.
-- $1 latency_change[], sorted by key; $2 shard
INSERT INTO landfall.latency_rollup AS known (app_id, quarter, campaign_id, stage, bucket, shard, notifications)
SELECT app_id, quarter, campaign_id, stage, bucket, $2, notifications
FROM unnest($1::landfall.latency_change[]) AS change
ON CONFLICT (app_id, quarter, campaign_id, stage, bucket, shard) DO UPDATE SET
    notifications = known.notifications + excluded.notifications;

-- name: add_to_version_rollup
-- Adds a batch's changes to the counters of reporting versions. Segments that do not count for a version are
-- left out.
-- $1 version_change[], $2 shard
INSERT INTO landfall.version_rollup AS known (
    app_id, day, platform, app_version, shard, reportable, arrived_named, arrived_unnamed
)
SELECT segment.app_id, change.day, segment.platform, segment.app_version, $2::smallint,
       coalesce(sum(change.notifications) FILTER (WHERE change.measure = 'reportable'), 0),
       coalesce(sum(change.notifications) FILTER (WHERE change.arrived_version = segment.app_version), 0),
       coalesce(sum(change.notifications) FILTER (WHERE change.measure <> 'reportable' AND change.arrived_version = ''), 0)
  FROM unnest($1::landfall.version_change[]) AS change
 -- OFFSET 0 and IS NOT DISTINCT FROM keep the planner from reading all segments of the app for each change.
 CROSS JOIN LATERAL (
           SELECT segment.*
             FROM landfall.segment
            WHERE segment.segment_id = change.segment_id AND segment.app_id IS NOT DISTINCT FROM change.app_id
              AND {{speaks_for_version}}
           OFFSET 0
       ) AS segment
 GROUP BY segment.app_id, change.day, segment.platform, segment.app_version
 -- In one order, so that two writers cannot deadlock.
 ORDER BY segment.app_id, change.day, segment.platform, segment.app_version
ON CONFLICT (app_id, day, platform, app_version, shard) DO UPDATE SET
    reportable      = known.reportable + excluded.reportable,
    arrived_named   = known.arrived_named + excluded.arrived_named,
    arrived_unnamed = known.arrived_unnamed + excluded.arrived_unnamed;

-- name: add_to_intake_rollup
-- Adds the verdicts on a batch's items. Fails if an app of them is being moved (SQLSTATE LF001), like
-- refuse_moving: every batch sends this statement, and with one of its own, single posts would cost more.
-- $1 app_id[] (sorted), $2 hour, $3 shard, $4 received[], $5 accepted[], $6 duplicates[], $7 rejected[], $8
-- reused_ids[], $9 reused_id[]
INSERT INTO landfall.intake_rollup AS known (
    app_id, hour, shard, received, accepted, duplicates, rejected, reused_ids, reused_id)
SELECT app_id, $2, $3, received, accepted, duplicates, rejected, reused_ids, reused_id
FROM unnest($1::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::uuid[])
     AS item (app_id, received, accepted, duplicates, rejected, reused_ids, reused_id)
WHERE app_id <> ALL ({{moving_apps}}) OR landfall.refuse_writing(app_id)
ON CONFLICT (app_id, hour, shard) DO UPDATE SET
    received   = known.received + excluded.received,
    accepted   = known.accepted + excluded.accepted,
    duplicates = known.duplicates + excluded.duplicates,
    rejected   = known.rejected + excluded.rejected,
    reused_ids = known.reused_ids + excluded.reused_ids,
    reused_id  = coalesce(excluded.reused_id, known.reused_id);

-- name: add_to_device_troubles
-- Counts the trouble that devices report about themselves, at most 1,000 per device and quarter hour.
-- $1 app_id[], $2 quarter, $3 trouble[], $4 reporter_id[], $5 events[]; each device and trouble once
INSERT INTO landfall.device_trouble AS known (app_id, quarter, trouble, reporter_id, events)
SELECT app_id, $2, trouble, reporter_id, least(events, 1000)
  FROM unnest($1::bigint[], $3::text[], $4::bigint[], $5::bigint[]) AS posted (app_id, trouble, reporter_id, events)
 -- In one order, so that two writers cannot deadlock.
 ORDER BY app_id, trouble, reporter_id
ON CONFLICT (app_id, quarter, trouble, reporter_id) DO UPDATE SET
    events = least(known.events + excluded.events, 1000)
 WHERE known.events < 1000;
