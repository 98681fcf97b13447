-- Folding: rows of counters that writers have left are added up, grain by grain.
--
-- Rows that a writer is changing are skipped until the next run, so this waits for no writer. A writer that
-- adds to a row while it is being folded waits until that is done and inserts a new row: nothing is lost, and
-- the sums are the same at every commit.

-- name: fold_counters
-- Moves one batch of rows from counter_live to counter, at each of its grains. One row: how many.
-- $1 quarters before this instant, $2 limit. Only maintenance writes to counter, one run at a time, so the
-- rows that this statement reads there are the rows it changes.
WITH chosen AS (
    SELECT app_id, quarter, campaign_id, segment_id, response_id, state, shard
      FROM landfall.counter_live
     WHERE quarter < $1 LIMIT $2 FOR UPDATE SKIP LOCKED
), taken AS (
    DELETE FROM landfall.counter_live AS known USING chosen
     WHERE known.app_id = chosen.app_id AND known.quarter = chosen.quarter AND known.campaign_id = chosen.campaign_id
       AND known.segment_id = chosen.segment_id AND known.response_id = chosen.response_id AND known.state = chosen.state
       AND known.shard = chosen.shard
    RETURNING known.*
), change AS (
    SELECT counted.grain, taken.app_id, counted.starts_at, taken.campaign_id, counted.segment_id, counted.response_id, taken.state,
           sum(taken.notifications)::bigint AS notifications
      FROM taken
     CROSS JOIN LATERAL (VALUES
               ('quarter'::landfall.counter_grain, quarter, segment_id, response_id),
               ('day', date_trunc('day', quarter, 'UTC'), segment_id, response_id),
               ('headline_quarter', quarter, 0, 0),
               ('headline_day', date_trunc('day', quarter, 'UTC'), 0, 0)
           ) AS counted (grain, starts_at, segment_id, response_id)
     GROUP BY 1, 2, 3, 4, 5, 6, 7
    HAVING sum(taken.notifications) <> 0
), emptied AS (
    -- States that no longer have notifications.
    DELETE FROM landfall.counter AS known USING change
     WHERE known.grain = change.grain AND known.app_id = change.app_id AND known.starts_at = change.starts_at
       AND known.campaign_id = change.campaign_id AND known.segment_id = change.segment_id
       AND known.response_id = change.response_id AND known.state = change.state
       AND known.notifications + change.notifications = 0
    RETURNING change.*
), folded AS (
    INSERT INTO landfall.counter AS known (
        grain, app_id, starts_at, campaign_id, segment_id, response_id, state, notifications
    )
    -- Grouped instead of joined: a join would compare every change with every emptied state.
    SELECT grain, app_id, starts_at, campaign_id, segment_id, response_id, state, sum(notifications)
      FROM (SELECT change.*, false AS is_emptied FROM change
            UNION ALL
            SELECT emptied.*, true FROM emptied) AS part
     GROUP BY 1, 2, 3, 4, 5, 6, 7
    HAVING NOT bool_or(is_emptied)
     ORDER BY 1, 2, 3, 4, 5, 6, 7
    ON CONFLICT (app_id, starts_at, campaign_id, segment_id, response_id, state, grain) DO UPDATE SET
        notifications = known.notifications + excluded.notifications
)
SELECT count(*) AS row_count FROM taken;

-- name: fold_latency_rollup
-- Moves one batch of rows of latency_rollup into shard -1, and adds them to latency_day_rollup. One row: how
-- many.
-- $1 quarters before this instant, $2 limit.
WITH chosen AS (
    SELECT app_id, quarter, campaign_id, stage, bucket, shard FROM landfall.latency_rollup
     WHERE shard >= 0 AND quarter < $1 ORDER BY quarter LIMIT $2 FOR UPDATE SKIP LOCKED
), taken AS (
    DELETE FROM landfall.latency_rollup AS known USING chosen
     WHERE (known.app_id, known.quarter, known.campaign_id, known.stage, known.bucket, known.shard)
         = (chosen.app_id, chosen.quarter, chosen.campaign_id, chosen.stage, chosen.bucket, chosen.shard)
    RETURNING known.*
), folded AS (
    INSERT INTO landfall.latency_rollup AS known (app_id, quarter, campaign_id, stage, bucket, shard, notifications)
    SELECT app_id, quarter, campaign_id, stage, bucket, -1, sum(notifications) FROM taken
     GROUP BY 1, 2, 3, 4, 5
     ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (app_id, quarter, campaign_id, stage, bucket, shard) DO UPDATE
       SET notifications = known.notifications + excluded.notifications
), folded_by_day AS (
    INSERT INTO landfall.latency_day_rollup AS known (app_id, day, campaign_id, stage, bucket, notifications)
    SELECT app_id, date_trunc('day', quarter, 'UTC'), campaign_id, stage, bucket, sum(notifications) FROM taken
     GROUP BY 1, 2, 3, 4, 5
     ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (app_id, day, campaign_id, stage, bucket) DO UPDATE
       SET notifications = known.notifications + excluded.notifications
)
SELECT count(*) AS row_count FROM taken;

-- name: fold_version_rollup
-- Moves one batch of rows of version_rollup into shard -1. One row: how many.
-- $1 days that ended before this instant, $2 limit.
WITH chosen AS (
    SELECT app_id, day, platform, app_version, shard FROM landfall.version_rollup
     WHERE shard >= 0 AND day <= $1::timestamptz - interval '24 hours'
     ORDER BY day LIMIT $2 FOR UPDATE SKIP LOCKED
), taken AS (
    DELETE FROM landfall.version_rollup AS known USING chosen
     WHERE known.app_id = chosen.app_id AND known.day = chosen.day AND known.platform = chosen.platform
       AND known.app_version = chosen.app_version AND known.shard = chosen.shard
    RETURNING known.*
), folded AS (
    INSERT INTO landfall.version_rollup AS known (
        app_id, day, platform, app_version, shard, reportable, arrived_named, arrived_unnamed
    )
    SELECT app_id, day, platform, app_version, -1, sum(reportable), sum(arrived_named), sum(arrived_unnamed)
      FROM taken GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (app_id, day, platform, app_version, shard) DO UPDATE SET
        reportable      = known.reportable + excluded.reportable,
        arrived_named   = known.arrived_named + excluded.arrived_named,
        arrived_unnamed = known.arrived_unnamed + excluded.arrived_unnamed
)
SELECT count(*) AS row_count FROM taken;

-- name: fold_intake_rollup
-- Moves one batch of rows of intake_rollup into shard -1. One row: how many.
-- $1 hours before this instant, $2 limit.
WITH chosen AS (
    SELECT app_id, hour, shard FROM landfall.intake_rollup
     WHERE shard >= 0 AND hour < $1 ORDER BY hour LIMIT $2 FOR UPDATE SKIP LOCKED
), taken AS (
    DELETE FROM landfall.intake_rollup AS known USING chosen
     WHERE known.app_id = chosen.app_id AND known.hour = chosen.hour AND known.shard = chosen.shard
    RETURNING known.*
), folded AS (
    INSERT INTO landfall.intake_rollup AS known (
        app_id, hour, shard, received, accepted, duplicates, rejected, reused_ids, reused_id)
    SELECT app_id, hour, -1, sum(received), sum(accepted), sum(duplicates), sum(rejected), sum(reused_ids),
           (array_agg(reused_id) FILTER (WHERE reused_id IS NOT NULL))[1]
      FROM taken GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (app_id, hour, shard) DO UPDATE SET
        received   = known.received + excluded.received,
        accepted   = known.accepted + excluded.accepted,
        duplicates = known.duplicates + excluded.duplicates,
        rejected   = known.rejected + excluded.rejected,
        reused_ids = known.reused_ids + excluded.reused_ids,
        reused_id  = coalesce(excluded.reused_id, known.reused_id)
)
SELECT count(*) AS row_count FROM taken;

-- name: note_maintained
-- Stores when maintenance last ran to its end. $1 the instant
INSERT INTO landfall.setting (name, value)
VALUES ('maintained_at', convert_to((extract(epoch FROM $1::timestamptz) * 1000)::bigint::text, 'UTF8'))
ON CONFLICT (name) DO UPDATE SET value = excluded.value;
