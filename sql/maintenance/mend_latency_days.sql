-- Makes the counters of UTC days of times what their folded quarter hours add up to. How many rows were something else.
-- $1 app, $2 from (inclusive) and $3 to (exclusive), both at UTC days.
--
-- Finds something only where a server of a version that knew no days has folded since they are kept. Only under the lock of
-- maintenance: nobody else writes what is folded.
WITH folded AS MATERIALIZED (
    SELECT app_id, date_trunc('day', quarter, 'UTC') AS day, campaign_id, stage, bucket,
           sum(notifications)::bigint AS notifications
      FROM landfall.latency_rollup
     WHERE app_id = $1 AND quarter >= $2 AND quarter < $3 AND slot = -1
     GROUP BY app_id, date_trunc('day', quarter, 'UTC'), campaign_id, stage, bucket
), differing AS (
    SELECT app_id, day, campaign_id, stage, bucket,
           notifications
      FROM folded
    EXCEPT
    SELECT app_id, day, campaign_id, stage, bucket,
           notifications
      FROM landfall.latency_day_rollup
     WHERE app_id = $1 AND day >= $2 AND day < $3
), gone AS (
    SELECT day, campaign_id, stage, bucket
      FROM landfall.latency_day_rollup
     WHERE app_id = $1 AND day >= $2 AND day < $3
    EXCEPT
    SELECT day, campaign_id, stage, bucket
      FROM folded
), removed AS (
    DELETE FROM landfall.latency_day_rollup AS known USING gone
     WHERE known.app_id = $1 AND known.day = gone.day AND known.campaign_id = gone.campaign_id
       AND known.stage = gone.stage AND known.bucket = gone.bucket
    RETURNING 1
), mended AS (
    INSERT INTO landfall.latency_day_rollup (
        app_id, day, campaign_id, stage, bucket,
        notifications
    )
    SELECT app_id, day, campaign_id, stage, bucket,
           notifications
      FROM differing
     ORDER BY app_id, day, campaign_id, stage, bucket
    ON CONFLICT (app_id, day, campaign_id, stage, bucket) DO UPDATE SET
        notifications = excluded.notifications
    RETURNING 1
)
SELECT (SELECT count(*) FROM removed) + (SELECT count(*) FROM mended) AS mended;
