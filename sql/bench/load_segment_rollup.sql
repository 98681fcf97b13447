-- Counts the loaded notifications of one day: all accepted, with an extension that could run.
-- $1 app_id, $2 beginning, $3 end
INSERT INTO landfall.segment_rollup (
    app_id, quarter, campaign_id, segment_id, slot, attempted, accepted, rejected_token_dead, rejected_token_suspect,
    rejected_wrong_topic, rejected_wrong_environment, rejected_payload_error, rejected_request_error,
    rejected_auth_error, rejected_throttled, rejected_provider_error, rejected_unknown, conflicting, reportable,
    arrived, arrived_reportable, confirmed, presented, clicked, dismissed, confirmed_unreported,
    responded_reportable, contradicted, unconfirmed_recalled, unconfirmed_not_reportable
)
SELECT app_id, quarter, campaign_id, segment_id, 0, sent, sent, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, sent, arrived, arrived,
       arrived, 0, 0, 0, 0, 0, 0, 0, 0
FROM (
    SELECT app_id, date_bin('15 minutes', sent_at, timestamptz 'epoch') AS quarter, campaign_id, segment_id,
           count(*) AS sent, count(arrived_after_ms) AS arrived
    FROM landfall.delivery
    WHERE app_id = $1 AND sent_at >= $2 AND sent_at < $3
    GROUP BY 1, 2, 3, 4
) AS counted;
