-- Deletes rows under a provisional date or id and returns them, so that their events can count under another key.
-- $1 notification_id[], $2 app_id[], $3 sent_at[], $4 the earliest and $5 the latest of these dates; sorted by key.
-- LIMIT leaves out nothing, but makes the planner expect one row instead of ten. Otherwise, while a day has few rows, it would plan to
-- compare all of them with each key.
DELETE FROM landfall.delivery
USING (SELECT notification_id, app_id, sent_at
       FROM unnest($1::uuid[], $2::bigint[], $3::timestamptz[]) AS moved (notification_id, app_id, sent_at)
       LIMIT cardinality($1)) AS moved
WHERE delivery.notification_id = moved.notification_id
  AND delivery.app_id = moved.app_id
  AND delivery.sent_at = moved.sent_at
  AND delivery.sent_at BETWEEN $4 AND $5
RETURNING delivery.notification_id, delivery.app_id, delivery.sent_at, delivery.state, delivery.arrived_after_ms,
          delivery.presented_after_ms, delivery.clicked_after_ms, delivery.dismissed_after_ms, delivery.action,
          delivery.campaign_id, delivery.segment_id, delivery.token_id, delivery.installation_id, delivery.response_id,
          delivery.response_rank, delivery.rejected_at, delivery.collapse_id,
          landfall.latency_bucket_of(delivery.arrived_after_ms - coalesce(delivery.sent_after_ms, 0)) AS arrival_bucket,
          landfall.latency_bucket_of(delivery.clicked_after_ms - delivery.arrived_after_ms) AS click_bucket,
          delivery.sent_after_ms, delivery.timed_by_receipt, delivery.arrived_version, delivery.reporters,
          delivery.category, delivery.app_state, delivery.has_text, delivery.arrived_kit, delivery.witness,
          delivery.extension_outcome;
