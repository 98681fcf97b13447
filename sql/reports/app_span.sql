-- Which quarter hours do an app's counters cover?
--
-- Parameters: $1 app.
-- Grain: one row; both columns are null if nothing has been counted. Each of the six values is read from one end of an index.

SELECT least((SELECT min(quarter) FROM landfall.counter_live WHERE app_id = $1),
             (SELECT min(starts_at) FROM landfall.counter WHERE grain = 'quarter' AND app_id = $1),
             (SELECT min(quarter) FROM landfall.latency_rollup WHERE app_id = $1)) AS first_quarter,
       greatest((SELECT max(quarter) FROM landfall.counter_live WHERE app_id = $1),
                (SELECT max(starts_at) FROM landfall.counter WHERE grain = 'quarter' AND app_id = $1),
                (SELECT max(quarter) FROM landfall.latency_rollup WHERE app_id = $1)) AS last_quarter;
