-- What did these rows contain before this transaction made pointers of them? The columns are those of take_deliveries.sql. None
-- of the rows has a response, so they counted as unmatched and in no bucket.
-- $1 notification_id[], $2 app_id[], $3 sent_at[], $4 the earliest and $5 the latest of these dates; sorted by key.
-- OFFSET 0 keeps the planner from comparing all rows of a day with each key.
SELECT delivery.notification_id, delivery.app_id, delivery.sent_at, delivery.previous_state AS state,
       delivery.arrived_after_ms, delivery.presented_after_ms, delivery.clicked_after_ms, delivery.dismissed_after_ms,
       delivery.action, delivery.campaign_id, delivery.segment_id, delivery.token_id, delivery.installation_id,
       delivery.response_id, delivery.response_rank, delivery.rejected_at, delivery.collapse_id,
       NULL::smallint AS arrival_bucket, NULL::smallint AS click_bucket,
       NULL::bigint AS sent_after_ms, delivery.timed_by_receipt, delivery.arrived_version, delivery.reporters,
       delivery.category, delivery.app_state, delivery.has_text, delivery.arrived_kit, delivery.witness,
       delivery.extension_outcome
FROM unnest($1::uuid[], $2::bigint[], $3::timestamptz[]) AS repointed (notification_id, app_id, sent_at)
CROSS JOIN LATERAL (
    SELECT known.*
    FROM landfall.delivery AS known
    WHERE known.notification_id = repointed.notification_id
      AND known.app_id = repointed.app_id
      AND known.sent_at = repointed.sent_at
      AND known.sent_at BETWEEN $4 AND $5
    OFFSET 0
) AS delivery;
