-- Adds what a batch changed to the counters for breakdowns.
-- $1 measure_change[], sorted by key; $2 slot
INSERT INTO landfall.segment_rollup AS known (
    app_id, quarter, campaign_id, segment_id, slot, attempted, accepted, rejected_token_dead,
    rejected_token_suspect, rejected_wrong_topic, rejected_wrong_environment, rejected_payload_error,
    rejected_request_error, rejected_auth_error, rejected_throttled, rejected_provider_error, rejected_unknown,
    conflicting, reportable, arrived, arrived_reportable, confirmed, presented, clicked, dismissed,
    confirmed_unreported, responded_reportable, contradicted, unconfirmed_recalled, unconfirmed_not_reportable
)
SELECT
    app_id, quarter, campaign_id, segment_id, $2,
    coalesce(attempted, 0), coalesce(accepted, 0), coalesce(rejected_token_dead, 0),
    coalesce(rejected_token_suspect, 0), coalesce(rejected_wrong_topic, 0), coalesce(rejected_wrong_environment, 0),
    coalesce(rejected_payload_error, 0), coalesce(rejected_request_error, 0), coalesce(rejected_auth_error, 0),
    coalesce(rejected_throttled, 0), coalesce(rejected_provider_error, 0), coalesce(rejected_unknown, 0),
    coalesce(conflicting, 0), coalesce(reportable, 0), coalesce(arrived, 0), coalesce(arrived_reportable, 0),
    coalesce(confirmed, 0), coalesce(presented, 0), coalesce(clicked, 0), coalesce(dismissed, 0),
    coalesce(confirmed_unreported, 0), coalesce(responded_reportable, 0), coalesce(contradicted, 0),
    coalesce(unconfirmed_recalled, 0), coalesce(unconfirmed_not_reportable, 0)
FROM unnest($1::landfall.measure_change[]) AS change
ON CONFLICT (app_id, quarter, campaign_id, segment_id, slot) DO UPDATE SET
    attempted                  = known.attempted + excluded.attempted,
    accepted                   = known.accepted + excluded.accepted,
    rejected_token_dead        = known.rejected_token_dead + excluded.rejected_token_dead,
    rejected_token_suspect     = known.rejected_token_suspect + excluded.rejected_token_suspect,
    rejected_wrong_topic       = known.rejected_wrong_topic + excluded.rejected_wrong_topic,
    rejected_wrong_environment = known.rejected_wrong_environment + excluded.rejected_wrong_environment,
    rejected_payload_error     = known.rejected_payload_error + excluded.rejected_payload_error,
    rejected_request_error     = known.rejected_request_error + excluded.rejected_request_error,
    rejected_auth_error        = known.rejected_auth_error + excluded.rejected_auth_error,
    rejected_throttled         = known.rejected_throttled + excluded.rejected_throttled,
    rejected_provider_error    = known.rejected_provider_error + excluded.rejected_provider_error,
    rejected_unknown           = known.rejected_unknown + excluded.rejected_unknown,
    conflicting                = known.conflicting + excluded.conflicting,
    reportable                 = known.reportable + excluded.reportable,
    arrived                    = known.arrived + excluded.arrived,
    arrived_reportable         = known.arrived_reportable + excluded.arrived_reportable,
    confirmed                  = known.confirmed + excluded.confirmed,
    presented                  = known.presented + excluded.presented,
    clicked                    = known.clicked + excluded.clicked,
    dismissed                  = known.dismissed + excluded.dismissed,
    confirmed_unreported       = known.confirmed_unreported + excluded.confirmed_unreported,
    responded_reportable       = known.responded_reportable + excluded.responded_reportable,
    contradicted               = known.contradicted + excluded.contradicted,
    unconfirmed_recalled       = known.unconfirmed_recalled + excluded.unconfirmed_recalled,
    unconfirmed_not_reportable = known.unconfirmed_not_reportable + excluded.unconfirmed_not_reportable;
