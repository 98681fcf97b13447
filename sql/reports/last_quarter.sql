-- When was the last notification with a recorded response sent?
--
-- Parameters: $1 app.
-- Grain: one row, the start of its quarter hour; null if there is none. Read from the end of an index.

SELECT greatest((SELECT max(starts_at)
                   FROM landfall.counter
                  WHERE grain = 'headline_quarter' AND app_id = $1 AND campaign_id <> 0),
                (SELECT max(quarter)
                   FROM landfall.counter_live
                  WHERE app_id = $1 AND campaign_id <> 0)) AS last_quarter;
