-- Adds up what was counted by segment on one day to the headline counters. $1 app_id, $2 from (inclusive) and $3 to (exclusive)
INSERT INTO landfall.delivery_rollup (
    app_id, quarter, campaign_id, slot, attempted, accepted, rejected_token_dead, rejected_token_suspect,
    rejected_wrong_topic, rejected_wrong_environment, rejected_payload_error, rejected_request_error,
    rejected_auth_error, rejected_throttled, rejected_provider_error, rejected_unknown, conflicting, reportable,
    arrived, arrived_reportable, confirmed, presented, clicked, dismissed, confirmed_unreported,
    responded_reportable, contradicted, unconfirmed_recalled, unconfirmed_not_reportable
)
SELECT app_id, quarter, campaign_id, 0, sum(attempted), sum(accepted), sum(rejected_token_dead),
       sum(rejected_token_suspect), sum(rejected_wrong_topic), sum(rejected_wrong_environment),
       sum(rejected_payload_error), sum(rejected_request_error), sum(rejected_auth_error),
       sum(rejected_throttled), sum(rejected_provider_error), sum(rejected_unknown), sum(conflicting),
       sum(reportable), sum(arrived), sum(arrived_reportable), sum(confirmed), sum(presented), sum(clicked),
       sum(dismissed), sum(confirmed_unreported), sum(responded_reportable), sum(contradicted),
       sum(unconfirmed_recalled), sum(unconfirmed_not_reportable)
FROM landfall.segment_rollup
WHERE app_id = $1 AND quarter >= $2 AND quarter < $3
GROUP BY app_id, quarter, campaign_id
ORDER BY quarter, campaign_id;
