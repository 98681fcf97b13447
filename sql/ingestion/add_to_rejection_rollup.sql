-- Adds what a batch changed to the counters of rejections by answer.
-- $1 rejection_change[], sorted by key; $2 slot
INSERT INTO landfall.rejection_rollup AS known (app_id, quarter, campaign_id, segment_id, answer_id, slot, rejected)
SELECT app_id, quarter, campaign_id, segment_id, answer_id, $2, rejected
FROM unnest($1::landfall.rejection_change[]) AS change
ON CONFLICT (app_id, quarter, campaign_id, segment_id, answer_id, slot) DO UPDATE SET
    rejected = known.rejected + excluded.rejected;
