-- Moves one batch of rows from counter_live to counter, at each of its grains. One row: how many.
-- $1 quarters before this instant, $2 limit.
--
-- Rows that a writer is changing are skipped until the next run, so this waits for no writer. A writer that adds to a row while
-- it is being folded waits until that is done and inserts a new row: nothing is lost, and the sums are the same at every commit.
-- Only maintenance writes to counter, one run at a time, so the rows that this statement reads there are the rows it changes.
WITH chosen AS (
    SELECT app_id, quarter, campaign_id, segment_id, response_id, state, shard
      FROM landfall.counter_live
     WHERE quarter < $1
     LIMIT $2
       FOR UPDATE SKIP LOCKED
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
    RETURNING known.grain, known.app_id, known.starts_at, known.campaign_id, known.segment_id, known.response_id, known.state
), folded AS (
    INSERT INTO landfall.counter AS known (
        grain, app_id, starts_at, campaign_id, segment_id, response_id, state, notifications
    )
    -- Grouped instead of joined: a join would compare every change with every emptied state.
    SELECT grain, app_id, starts_at, campaign_id, segment_id, response_id, state, sum(notifications)
      FROM (SELECT grain, app_id, starts_at, campaign_id, segment_id, response_id, state, notifications, false AS is_emptied
              FROM change
            UNION ALL
            SELECT grain, app_id, starts_at, campaign_id, segment_id, response_id, state, 0, true FROM emptied) AS part
     GROUP BY grain, app_id, starts_at, campaign_id, segment_id, response_id, state
    HAVING NOT bool_or(is_emptied)
     ORDER BY grain, app_id, starts_at, campaign_id, segment_id, response_id, state
    ON CONFLICT (app_id, starts_at, campaign_id, segment_id, response_id, state, grain) DO UPDATE SET
        notifications = known.notifications + excluded.notifications
)
SELECT count(*) AS row_count FROM taken;
