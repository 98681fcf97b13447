-- Folds one batch of the counters by segment into slot -1, and into the counters of UTC days with it. How many rows went.
-- $1 quarters before this instant, $2 at most so many rows.
--
-- Rows that a writer has in hand are left for the next time, so this waits for nobody. A writer that adds to a row while it
-- is being folded waits for the end of that and makes a new row: nothing is lost, and at every commit the sums are the same.
WITH chosen AS (
    SELECT app_id, quarter, campaign_id, segment_id, slot FROM landfall.segment_rollup
     WHERE slot >= 0 AND quarter < $1 ORDER BY quarter LIMIT $2
       FOR UPDATE SKIP LOCKED
), taken AS (
    DELETE FROM landfall.segment_rollup AS known USING chosen
     WHERE known.app_id = chosen.app_id AND known.quarter = chosen.quarter AND known.campaign_id = chosen.campaign_id
       AND known.segment_id = chosen.segment_id AND known.slot = chosen.slot
    RETURNING known.*
), folded AS (
    INSERT INTO landfall.segment_rollup AS known (
        app_id, quarter, campaign_id, segment_id, slot, attempted, accepted, rejected_token_dead,
        rejected_token_suspect, rejected_wrong_topic, rejected_wrong_environment, rejected_payload_error,
        rejected_request_error, rejected_auth_error, rejected_throttled, rejected_provider_error, rejected_unknown,
        conflicting, reportable, arrived, arrived_reportable, confirmed, presented, clicked, dismissed,
        confirmed_unreported, responded_reportable, contradicted, unconfirmed_recalled, unconfirmed_not_reportable
    )
    SELECT app_id, quarter, campaign_id, segment_id, -1, sum(attempted), sum(accepted), sum(rejected_token_dead),
           sum(rejected_token_suspect), sum(rejected_wrong_topic), sum(rejected_wrong_environment),
           sum(rejected_payload_error), sum(rejected_request_error), sum(rejected_auth_error),
           sum(rejected_throttled), sum(rejected_provider_error), sum(rejected_unknown), sum(conflicting),
           sum(reportable), sum(arrived), sum(arrived_reportable), sum(confirmed), sum(presented), sum(clicked),
           sum(dismissed), sum(confirmed_unreported), sum(responded_reportable), sum(contradicted),
           sum(unconfirmed_recalled), sum(unconfirmed_not_reportable)
      FROM taken GROUP BY app_id, quarter, campaign_id, segment_id ORDER BY app_id, quarter, campaign_id, segment_id
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
        unconfirmed_not_reportable = known.unconfirmed_not_reportable + excluded.unconfirmed_not_reportable
), folded_by_day AS (
    INSERT INTO landfall.segment_day_rollup AS known (
        app_id, day, campaign_id, segment_id,
        attempted, accepted, rejected_token_dead, rejected_token_suspect, rejected_wrong_topic,
        rejected_wrong_environment, rejected_payload_error, rejected_request_error, rejected_auth_error,
        rejected_throttled, rejected_provider_error, rejected_unknown, conflicting, reportable, arrived,
        arrived_reportable, confirmed, presented, clicked, dismissed, confirmed_unreported, responded_reportable,
        contradicted, unconfirmed_recalled, unconfirmed_not_reportable
    )
    SELECT app_id, date_trunc('day', quarter, 'UTC') AS day, campaign_id, segment_id,
           sum(attempted), sum(accepted), sum(rejected_token_dead), sum(rejected_token_suspect),
           sum(rejected_wrong_topic), sum(rejected_wrong_environment), sum(rejected_payload_error),
           sum(rejected_request_error), sum(rejected_auth_error), sum(rejected_throttled), sum(rejected_provider_error),
           sum(rejected_unknown), sum(conflicting), sum(reportable), sum(arrived), sum(arrived_reportable),
           sum(confirmed), sum(presented), sum(clicked), sum(dismissed), sum(confirmed_unreported),
           sum(responded_reportable), sum(contradicted), sum(unconfirmed_recalled), sum(unconfirmed_not_reportable)
      FROM taken
     GROUP BY app_id, day, campaign_id, segment_id
     ORDER BY app_id, day, campaign_id, segment_id
    ON CONFLICT (app_id, day, campaign_id, segment_id) DO UPDATE SET
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
        unconfirmed_not_reportable = known.unconfirmed_not_reportable + excluded.unconfirmed_not_reportable
)
SELECT count(*) AS folded FROM taken;
