-- Of which quarter hour are an app's first counters by segment, answer and time? $1 app
-- Grain: one row; null when nothing has been counted.
SELECT least((SELECT min(quarter) FROM landfall.segment_rollup WHERE app_id = $1),
             (SELECT min(quarter) FROM landfall.rejection_rollup WHERE app_id = $1),
             (SELECT min(quarter) FROM landfall.latency_rollup WHERE app_id = $1)) AS first_quarter;
