-- Sums up what was counted by segment, of notifications all accepted, with an extension that could run. $1 app_id
INSERT INTO landfall.delivery_rollup (
    app_id, quarter, campaign_id, slot, attempted, accepted, rejected_token_dead, rejected_token_suspect,
    rejected_wrong_topic, rejected_wrong_environment, rejected_payload_error, rejected_request_error,
    rejected_auth_error, rejected_throttled, rejected_provider_error, rejected_unknown, conflicting, reportable,
    arrived, arrived_reportable, confirmed, presented, clicked, dismissed, confirmed_unreported,
    responded_reportable, contradicted, unconfirmed_recalled, unconfirmed_not_reportable
)
SELECT app_id, quarter, campaign_id, slot, sum(attempted), sum(accepted), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
       sum(reportable), sum(arrived), sum(arrived_reportable), sum(confirmed), 0, 0, 0, 0, 0, 0, 0, 0
FROM landfall.segment_rollup
WHERE app_id = $1
GROUP BY app_id, quarter, campaign_id, slot;
