-- Makes the counters of UTC days by answer what their folded quarter hours add up to. How many rows were something else.
-- $1 app, $2 from (inclusive) and $3 to (exclusive), both at UTC days.
--
-- Finds something only where a server of a version that knew no days has folded since they are kept. Only under the lock of
-- maintenance: nobody else writes what is folded.
WITH folded AS MATERIALIZED (
    SELECT app_id, date_trunc('day', quarter, 'UTC') AS day, campaign_id, segment_id, answer_id,
           sum(rejected)::bigint AS rejected
      FROM landfall.rejection_rollup
     WHERE app_id = $1 AND quarter >= $2 AND quarter < $3 AND slot = -1
     GROUP BY app_id, date_trunc('day', quarter, 'UTC'), campaign_id, segment_id, answer_id
), differing AS (
    SELECT app_id, day, campaign_id, segment_id, answer_id,
           rejected
      FROM folded
    EXCEPT
    SELECT app_id, day, campaign_id, segment_id, answer_id,
           rejected
      FROM landfall.rejection_day_rollup
     WHERE app_id = $1 AND day >= $2 AND day < $3
), gone AS (
    SELECT day, campaign_id, segment_id, answer_id
      FROM landfall.rejection_day_rollup
     WHERE app_id = $1 AND day >= $2 AND day < $3
    EXCEPT
    SELECT day, campaign_id, segment_id, answer_id
      FROM folded
), removed AS (
    DELETE FROM landfall.rejection_day_rollup AS known USING gone
     WHERE known.app_id = $1 AND known.day = gone.day AND known.campaign_id = gone.campaign_id
       AND known.segment_id = gone.segment_id AND known.answer_id = gone.answer_id
    RETURNING 1
), mended AS (
    INSERT INTO landfall.rejection_day_rollup (
        app_id, day, campaign_id, segment_id, answer_id,
        rejected
    )
    SELECT app_id, day, campaign_id, segment_id, answer_id,
           rejected
      FROM differing
     ORDER BY app_id, day, campaign_id, segment_id, answer_id
    ON CONFLICT (app_id, day, campaign_id, segment_id, answer_id) DO UPDATE SET
        rejected = excluded.rejected
    RETURNING 1
)
SELECT (SELECT count(*) FROM removed) + (SELECT count(*) FROM mended) AS mended;
