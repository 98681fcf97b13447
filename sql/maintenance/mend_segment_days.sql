-- Makes the counters of UTC days by segment what their folded quarter hours add up to. How many rows were something else.
-- $1 app, $2 from (inclusive) and $3 to (exclusive), both at UTC days.
--
-- Finds something only where a server of a version that knew no days has folded since they are kept. Only under the lock of
-- maintenance: nobody else writes what is folded.
WITH folded AS MATERIALIZED (
    SELECT app_id, date_trunc('day', quarter, 'UTC') AS day, campaign_id, segment_id,
           sum(attempted)::bigint AS attempted, sum(accepted)::bigint AS accepted,
           sum(rejected_token_dead)::bigint AS rejected_token_dead,
           sum(rejected_token_suspect)::bigint AS rejected_token_suspect,
           sum(rejected_wrong_topic)::bigint AS rejected_wrong_topic,
           sum(rejected_wrong_environment)::bigint AS rejected_wrong_environment,
           sum(rejected_payload_error)::bigint AS rejected_payload_error,
           sum(rejected_request_error)::bigint AS rejected_request_error,
           sum(rejected_auth_error)::bigint AS rejected_auth_error,
           sum(rejected_throttled)::bigint AS rejected_throttled,
           sum(rejected_provider_error)::bigint AS rejected_provider_error,
           sum(rejected_unknown)::bigint AS rejected_unknown, sum(conflicting)::bigint AS conflicting,
           sum(reportable)::bigint AS reportable, sum(arrived)::bigint AS arrived,
           sum(arrived_reportable)::bigint AS arrived_reportable, sum(confirmed)::bigint AS confirmed,
           sum(presented)::bigint AS presented, sum(clicked)::bigint AS clicked, sum(dismissed)::bigint AS dismissed,
           sum(confirmed_unreported)::bigint AS confirmed_unreported,
           sum(responded_reportable)::bigint AS responded_reportable, sum(contradicted)::bigint AS contradicted,
           sum(unconfirmed_recalled)::bigint AS unconfirmed_recalled,
           sum(unconfirmed_not_reportable)::bigint AS unconfirmed_not_reportable
      FROM landfall.segment_rollup
     WHERE app_id = $1 AND quarter >= $2 AND quarter < $3 AND slot = -1
     GROUP BY app_id, date_trunc('day', quarter, 'UTC'), campaign_id, segment_id
), differing AS (
    SELECT app_id, day, campaign_id, segment_id,
           attempted, accepted, rejected_token_dead, rejected_token_suspect, rejected_wrong_topic,
           rejected_wrong_environment, rejected_payload_error, rejected_request_error, rejected_auth_error,
           rejected_throttled, rejected_provider_error, rejected_unknown, conflicting, reportable, arrived,
           arrived_reportable, confirmed, presented, clicked, dismissed, confirmed_unreported, responded_reportable,
           contradicted, unconfirmed_recalled, unconfirmed_not_reportable
      FROM folded
    EXCEPT
    SELECT app_id, day, campaign_id, segment_id,
           attempted, accepted, rejected_token_dead, rejected_token_suspect, rejected_wrong_topic,
           rejected_wrong_environment, rejected_payload_error, rejected_request_error, rejected_auth_error,
           rejected_throttled, rejected_provider_error, rejected_unknown, conflicting, reportable, arrived,
           arrived_reportable, confirmed, presented, clicked, dismissed, confirmed_unreported, responded_reportable,
           contradicted, unconfirmed_recalled, unconfirmed_not_reportable
      FROM landfall.segment_day_rollup
     WHERE app_id = $1 AND day >= $2 AND day < $3
), gone AS (
    SELECT day, campaign_id, segment_id
      FROM landfall.segment_day_rollup
     WHERE app_id = $1 AND day >= $2 AND day < $3
    EXCEPT
    SELECT day, campaign_id, segment_id
      FROM folded
), removed AS (
    DELETE FROM landfall.segment_day_rollup AS known USING gone
     WHERE known.app_id = $1 AND known.day = gone.day AND known.campaign_id = gone.campaign_id
       AND known.segment_id = gone.segment_id
    RETURNING 1
), mended AS (
    INSERT INTO landfall.segment_day_rollup (
        app_id, day, campaign_id, segment_id,
        attempted, accepted, rejected_token_dead, rejected_token_suspect, rejected_wrong_topic,
        rejected_wrong_environment, rejected_payload_error, rejected_request_error, rejected_auth_error,
        rejected_throttled, rejected_provider_error, rejected_unknown, conflicting, reportable, arrived,
        arrived_reportable, confirmed, presented, clicked, dismissed, confirmed_unreported, responded_reportable,
        contradicted, unconfirmed_recalled, unconfirmed_not_reportable
    )
    SELECT app_id, day, campaign_id, segment_id,
           attempted, accepted, rejected_token_dead, rejected_token_suspect, rejected_wrong_topic,
           rejected_wrong_environment, rejected_payload_error, rejected_request_error, rejected_auth_error,
           rejected_throttled, rejected_provider_error, rejected_unknown, conflicting, reportable, arrived,
           arrived_reportable, confirmed, presented, clicked, dismissed, confirmed_unreported, responded_reportable,
           contradicted, unconfirmed_recalled, unconfirmed_not_reportable
      FROM differing
     ORDER BY app_id, day, campaign_id, segment_id
    ON CONFLICT (app_id, day, campaign_id, segment_id) DO UPDATE SET
        attempted                  = excluded.attempted,
        accepted                   = excluded.accepted,
        rejected_token_dead        = excluded.rejected_token_dead,
        rejected_token_suspect     = excluded.rejected_token_suspect,
        rejected_wrong_topic       = excluded.rejected_wrong_topic,
        rejected_wrong_environment = excluded.rejected_wrong_environment,
        rejected_payload_error     = excluded.rejected_payload_error,
        rejected_request_error     = excluded.rejected_request_error,
        rejected_auth_error        = excluded.rejected_auth_error,
        rejected_throttled         = excluded.rejected_throttled,
        rejected_provider_error    = excluded.rejected_provider_error,
        rejected_unknown           = excluded.rejected_unknown,
        conflicting                = excluded.conflicting,
        reportable                 = excluded.reportable,
        arrived                    = excluded.arrived,
        arrived_reportable         = excluded.arrived_reportable,
        confirmed                  = excluded.confirmed,
        presented                  = excluded.presented,
        clicked                    = excluded.clicked,
        dismissed                  = excluded.dismissed,
        confirmed_unreported       = excluded.confirmed_unreported,
        responded_reportable       = excluded.responded_reportable,
        contradicted               = excluded.contradicted,
        unconfirmed_recalled       = excluded.unconfirmed_recalled,
        unconfirmed_not_reportable = excluded.unconfirmed_not_reportable
    RETURNING 1
)
SELECT (SELECT count(*) FROM removed) + (SELECT count(*) FROM mended) AS mended;
