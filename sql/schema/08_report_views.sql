-- Documented views over the counters and the ledger, for people who bring their own tools (docs/sql.md, docs/decisions/0025). A view
-- may get further columns, but never loses one or changes its meaning; that would be a view of report_v2.
--
-- Views read with the rights of their owner, so a reader needs no privilege on the tables. None contains a device, a token, an account
-- or a notification: only names of apps and campaigns, traits, and counts.

CREATE SCHEMA report_v1;
COMMENT ON SCHEMA report_v1 IS 'Documented views for dashboards and analysts: counts only, no personal data. landfall migrate --report-role NAME lets a role read them and nothing else.';

CREATE VIEW report_v1.funnel_by_quarter AS
SELECT app.slug                                        AS app,
       rollup.quarter                                  AS quarter,
       campaign.key                                    AS campaign,
       campaign.variant                                AS variant,
       sum(rollup.attempted)::bigint                   AS attempted,
       sum(rollup.accepted)::bigint                    AS accepted,
       sum(rollup.attempted - rollup.accepted)::bigint AS rejected,
       sum(rollup.rejected_token_dead)::bigint         AS rejected_token_dead,
       sum(rollup.rejected_token_suspect)::bigint      AS rejected_token_suspect,
       sum(rollup.rejected_wrong_topic)::bigint        AS rejected_wrong_topic,
       sum(rollup.rejected_wrong_environment)::bigint  AS rejected_wrong_environment,
       sum(rollup.rejected_payload_error)::bigint      AS rejected_payload_error,
       sum(rollup.rejected_request_error)::bigint      AS rejected_request_error,
       sum(rollup.rejected_auth_error)::bigint         AS rejected_auth_error,
       sum(rollup.rejected_throttled)::bigint          AS rejected_throttled,
       sum(rollup.rejected_provider_error)::bigint     AS rejected_provider_error,
       sum(rollup.rejected_unknown)::bigint            AS rejected_unknown,
       sum(rollup.conflicting)::bigint                 AS conflicting,
       sum(rollup.reportable)::bigint                  AS reportable,
       sum(rollup.arrived)::bigint                     AS arrived,
       sum(rollup.arrived_reportable)::bigint          AS arrived_reportable,
       sum(rollup.confirmed)::bigint                   AS confirmed,
       sum(rollup.presented)::bigint                   AS presented,
       sum(rollup.clicked)::bigint                     AS clicked,
       sum(rollup.dismissed)::bigint                   AS dismissed,
       sum(rollup.confirmed_unreported)::bigint        AS confirmed_unreported,
       sum(rollup.responded_reportable)::bigint        AS responded_reportable,
       sum(rollup.contradicted)::bigint                AS contradicted,
       sum(rollup.unconfirmed_recalled)::bigint        AS unconfirmed_recalled,
       sum(rollup.unconfirmed_not_reportable)::bigint  AS unconfirmed_not_reportable
  FROM landfall.delivery_rollup AS rollup
  JOIN landfall.app ON app.app_id = rollup.app_id
  JOIN landfall.campaign ON campaign.app_id = rollup.app_id AND campaign.campaign_id = rollup.campaign_id
 GROUP BY app.slug, rollup.quarter, campaign.key, campaign.variant;
COMMENT ON VIEW report_v1.funnel_by_quarter IS 'The funnel at its finest: one row per app, quarter hour, campaign and variant. For days of another time zone than UTC, and for filters that use the index.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.app IS 'The app, as --app names it.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.quarter IS 'Start of the quarter hour in which the notifications were sent.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.campaign IS 'The campaign as the sender names it; empty for notifications without one.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.variant IS 'The variant as the sender names it; empty without one.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.attempted IS 'A provider answer, or an explicit "no response", is recorded.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.accepted IS 'The provider answered 2xx. Accepted says nothing about arrival.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.rejected IS 'Rejected, never accepted: the sum of all classes, attempted - accepted.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.rejected_token_dead IS 'Rejected, never accepted: the token is dead.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.rejected_token_suspect IS 'Rejected, never accepted: the token is malformed or of another environment.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.rejected_wrong_topic IS 'Rejected, never accepted: token and topic do not belong together.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.rejected_wrong_environment IS 'Rejected, never accepted: credentials of the other environment.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.rejected_payload_error IS 'Rejected, never accepted: the payload.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.rejected_request_error IS 'Rejected, never accepted: the request.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.rejected_auth_error IS 'Rejected, never accepted: the credentials.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.rejected_throttled IS 'Rejected, never accepted: too many.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.rejected_provider_error IS 'Rejected, never accepted: the provider''s own trouble.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.rejected_unknown IS 'Rejected, never accepted: no answer came, or one that no list knows.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.conflicting IS 'Refused for more than one class of reason, never accepted.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.reportable IS 'Accepted, and its extension could run.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.arrived IS 'Accepted, and the extension reported it.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.arrived_reportable IS 'Arrived and reportable.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.confirmed IS 'Accepted, and arrived, presented, clicked or dismissed.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.presented IS 'Accepted, and handed to the app in front.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.clicked IS 'Accepted, and tapped or acted on.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.dismissed IS 'Accepted, and explicitly dismissed.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.confirmed_unreported IS 'Confirmed and reportable, but not arrived: a lost receipt.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.responded_reportable IS 'Reportable, and presented, clicked or dismissed.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.contradicted IS 'The device had it although no acceptance is on record.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.unconfirmed_recalled IS 'Accepted, not confirmed, withdrawn.';
COMMENT ON COLUMN report_v1.funnel_by_quarter.unconfirmed_not_reportable IS 'Accepted, not confirmed, not withdrawn, not reportable.';

CREATE VIEW report_v1.funnel_by_day AS
SELECT app.slug                                        AS app,
       (rollup.quarter AT TIME ZONE 'UTC')::date       AS day,
       sum(rollup.attempted)::bigint                   AS attempted,
       sum(rollup.accepted)::bigint                    AS accepted,
       sum(rollup.attempted - rollup.accepted)::bigint AS rejected,
       sum(rollup.rejected_token_dead)::bigint         AS rejected_token_dead,
       sum(rollup.rejected_token_suspect)::bigint      AS rejected_token_suspect,
       sum(rollup.rejected_wrong_topic)::bigint        AS rejected_wrong_topic,
       sum(rollup.rejected_wrong_environment)::bigint  AS rejected_wrong_environment,
       sum(rollup.rejected_payload_error)::bigint      AS rejected_payload_error,
       sum(rollup.rejected_request_error)::bigint      AS rejected_request_error,
       sum(rollup.rejected_auth_error)::bigint         AS rejected_auth_error,
       sum(rollup.rejected_throttled)::bigint          AS rejected_throttled,
       sum(rollup.rejected_provider_error)::bigint     AS rejected_provider_error,
       sum(rollup.rejected_unknown)::bigint            AS rejected_unknown,
       sum(rollup.conflicting)::bigint                 AS conflicting,
       sum(rollup.reportable)::bigint                  AS reportable,
       sum(rollup.arrived)::bigint                     AS arrived,
       sum(rollup.arrived_reportable)::bigint          AS arrived_reportable,
       sum(rollup.confirmed)::bigint                   AS confirmed,
       sum(rollup.presented)::bigint                   AS presented,
       sum(rollup.clicked)::bigint                     AS clicked,
       sum(rollup.dismissed)::bigint                   AS dismissed,
       sum(rollup.confirmed_unreported)::bigint        AS confirmed_unreported,
       sum(rollup.responded_reportable)::bigint        AS responded_reportable,
       sum(rollup.contradicted)::bigint                AS contradicted,
       sum(rollup.unconfirmed_recalled)::bigint        AS unconfirmed_recalled,
       sum(rollup.unconfirmed_not_reportable)::bigint  AS unconfirmed_not_reportable
  FROM landfall.delivery_rollup AS rollup
  JOIN landfall.app ON app.app_id = rollup.app_id
 GROUP BY app.slug, (rollup.quarter AT TIME ZONE 'UTC')::date;
COMMENT ON VIEW report_v1.funnel_by_day IS 'How far notifications got: one row per app and UTC day on which any was sent.';
COMMENT ON COLUMN report_v1.funnel_by_day.app IS 'The app, as --app names it.';
COMMENT ON COLUMN report_v1.funnel_by_day.day IS 'The UTC day on which the notifications were sent.';
COMMENT ON COLUMN report_v1.funnel_by_day.attempted IS 'A provider answer, or an explicit "no response", is recorded.';
COMMENT ON COLUMN report_v1.funnel_by_day.accepted IS 'The provider answered 2xx. Accepted says nothing about arrival.';
COMMENT ON COLUMN report_v1.funnel_by_day.rejected IS 'Rejected, never accepted: the sum of all classes, attempted - accepted.';
COMMENT ON COLUMN report_v1.funnel_by_day.rejected_token_dead IS 'Rejected, never accepted: the token is dead.';
COMMENT ON COLUMN report_v1.funnel_by_day.rejected_token_suspect IS 'Rejected, never accepted: the token is malformed or of another environment.';
COMMENT ON COLUMN report_v1.funnel_by_day.rejected_wrong_topic IS 'Rejected, never accepted: token and topic do not belong together.';
COMMENT ON COLUMN report_v1.funnel_by_day.rejected_wrong_environment IS 'Rejected, never accepted: credentials of the other environment.';
COMMENT ON COLUMN report_v1.funnel_by_day.rejected_payload_error IS 'Rejected, never accepted: the payload.';
COMMENT ON COLUMN report_v1.funnel_by_day.rejected_request_error IS 'Rejected, never accepted: the request.';
COMMENT ON COLUMN report_v1.funnel_by_day.rejected_auth_error IS 'Rejected, never accepted: the credentials.';
COMMENT ON COLUMN report_v1.funnel_by_day.rejected_throttled IS 'Rejected, never accepted: too many.';
COMMENT ON COLUMN report_v1.funnel_by_day.rejected_provider_error IS 'Rejected, never accepted: the provider''s own trouble.';
COMMENT ON COLUMN report_v1.funnel_by_day.rejected_unknown IS 'Rejected, never accepted: no answer came, or one that no list knows.';
COMMENT ON COLUMN report_v1.funnel_by_day.conflicting IS 'Refused for more than one class of reason, never accepted.';
COMMENT ON COLUMN report_v1.funnel_by_day.reportable IS 'Accepted, and its extension could run.';
COMMENT ON COLUMN report_v1.funnel_by_day.arrived IS 'Accepted, and the extension reported it.';
COMMENT ON COLUMN report_v1.funnel_by_day.arrived_reportable IS 'Arrived and reportable.';
COMMENT ON COLUMN report_v1.funnel_by_day.confirmed IS 'Accepted, and arrived, presented, clicked or dismissed.';
COMMENT ON COLUMN report_v1.funnel_by_day.presented IS 'Accepted, and handed to the app in front.';
COMMENT ON COLUMN report_v1.funnel_by_day.clicked IS 'Accepted, and tapped or acted on.';
COMMENT ON COLUMN report_v1.funnel_by_day.dismissed IS 'Accepted, and explicitly dismissed.';
COMMENT ON COLUMN report_v1.funnel_by_day.confirmed_unreported IS 'Confirmed and reportable, but not arrived: a lost receipt.';
COMMENT ON COLUMN report_v1.funnel_by_day.responded_reportable IS 'Reportable, and presented, clicked or dismissed.';
COMMENT ON COLUMN report_v1.funnel_by_day.contradicted IS 'The device had it although no acceptance is on record.';
COMMENT ON COLUMN report_v1.funnel_by_day.unconfirmed_recalled IS 'Accepted, not confirmed, withdrawn.';
COMMENT ON COLUMN report_v1.funnel_by_day.unconfirmed_not_reportable IS 'Accepted, not confirmed, not withdrawn, not reportable.';

CREATE VIEW report_v1.funnel_by_campaign AS
SELECT app.slug                                        AS app,
       (rollup.quarter AT TIME ZONE 'UTC')::date       AS day,
       campaign.key                                    AS campaign,
       campaign.variant                                AS variant,
       sum(rollup.attempted)::bigint                   AS attempted,
       sum(rollup.accepted)::bigint                    AS accepted,
       sum(rollup.attempted - rollup.accepted)::bigint AS rejected,
       sum(rollup.rejected_token_dead)::bigint         AS rejected_token_dead,
       sum(rollup.rejected_token_suspect)::bigint      AS rejected_token_suspect,
       sum(rollup.rejected_wrong_topic)::bigint        AS rejected_wrong_topic,
       sum(rollup.rejected_wrong_environment)::bigint  AS rejected_wrong_environment,
       sum(rollup.rejected_payload_error)::bigint      AS rejected_payload_error,
       sum(rollup.rejected_request_error)::bigint      AS rejected_request_error,
       sum(rollup.rejected_auth_error)::bigint         AS rejected_auth_error,
       sum(rollup.rejected_throttled)::bigint          AS rejected_throttled,
       sum(rollup.rejected_provider_error)::bigint     AS rejected_provider_error,
       sum(rollup.rejected_unknown)::bigint            AS rejected_unknown,
       sum(rollup.conflicting)::bigint                 AS conflicting,
       sum(rollup.reportable)::bigint                  AS reportable,
       sum(rollup.arrived)::bigint                     AS arrived,
       sum(rollup.arrived_reportable)::bigint          AS arrived_reportable,
       sum(rollup.confirmed)::bigint                   AS confirmed,
       sum(rollup.presented)::bigint                   AS presented,
       sum(rollup.clicked)::bigint                     AS clicked,
       sum(rollup.dismissed)::bigint                   AS dismissed,
       sum(rollup.confirmed_unreported)::bigint        AS confirmed_unreported,
       sum(rollup.responded_reportable)::bigint        AS responded_reportable,
       sum(rollup.contradicted)::bigint                AS contradicted,
       sum(rollup.unconfirmed_recalled)::bigint        AS unconfirmed_recalled,
       sum(rollup.unconfirmed_not_reportable)::bigint  AS unconfirmed_not_reportable
  FROM landfall.delivery_rollup AS rollup
  JOIN landfall.app ON app.app_id = rollup.app_id
  JOIN landfall.campaign ON campaign.app_id = rollup.app_id AND campaign.campaign_id = rollup.campaign_id
 GROUP BY app.slug, (rollup.quarter AT TIME ZONE 'UTC')::date, campaign.key, campaign.variant;
COMMENT ON VIEW report_v1.funnel_by_campaign IS 'How far notifications got: one row per app, UTC day, campaign and variant.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.app IS 'The app, as --app names it.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.day IS 'The UTC day on which the notifications were sent.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.campaign IS 'The campaign as the sender names it; empty for notifications without one.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.variant IS 'The variant as the sender names it; empty without one.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.attempted IS 'A provider answer, or an explicit "no response", is recorded.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.accepted IS 'The provider answered 2xx. Accepted says nothing about arrival.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.rejected IS 'Rejected, never accepted: the sum of all classes, attempted - accepted.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.rejected_token_dead IS 'Rejected, never accepted: the token is dead.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.rejected_token_suspect IS 'Rejected, never accepted: the token is malformed or of another environment.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.rejected_wrong_topic IS 'Rejected, never accepted: token and topic do not belong together.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.rejected_wrong_environment IS 'Rejected, never accepted: credentials of the other environment.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.rejected_payload_error IS 'Rejected, never accepted: the payload.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.rejected_request_error IS 'Rejected, never accepted: the request.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.rejected_auth_error IS 'Rejected, never accepted: the credentials.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.rejected_throttled IS 'Rejected, never accepted: too many.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.rejected_provider_error IS 'Rejected, never accepted: the provider''s own trouble.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.rejected_unknown IS 'Rejected, never accepted: no answer came, or one that no list knows.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.conflicting IS 'Refused for more than one class of reason, never accepted.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.reportable IS 'Accepted, and its extension could run.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.arrived IS 'Accepted, and the extension reported it.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.arrived_reportable IS 'Arrived and reportable.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.confirmed IS 'Accepted, and arrived, presented, clicked or dismissed.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.presented IS 'Accepted, and handed to the app in front.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.clicked IS 'Accepted, and tapped or acted on.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.dismissed IS 'Accepted, and explicitly dismissed.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.confirmed_unreported IS 'Confirmed and reportable, but not arrived: a lost receipt.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.responded_reportable IS 'Reportable, and presented, clicked or dismissed.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.contradicted IS 'The device had it although no acceptance is on record.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.unconfirmed_recalled IS 'Accepted, not confirmed, withdrawn.';
COMMENT ON COLUMN report_v1.funnel_by_campaign.unconfirmed_not_reportable IS 'Accepted, not confirmed, not withdrawn, not reportable.';

CREATE VIEW report_v1.funnel_by_segment AS
SELECT app.slug                                        AS app,
       (rollup.quarter AT TIME ZONE 'UTC')::date       AS day,
       campaign.key                                    AS campaign,
       campaign.variant                                AS variant,
       segment.provider                                AS provider,
       segment.environment                             AS environment,
       segment.topic                                   AS topic,
       segment.push_type                               AS push_type,
       segment.priority                                AS priority,
       segment.platform                                AS platform,
       segment.app_version                             AS app_version,
       segment.os_version                              AS os_version,
       segment.language                                AS language,
       segment.permission                              AS permission,
       sum(rollup.attempted)::bigint                   AS attempted,
       sum(rollup.accepted)::bigint                    AS accepted,
       sum(rollup.attempted - rollup.accepted)::bigint AS rejected,
       sum(rollup.rejected_token_dead)::bigint         AS rejected_token_dead,
       sum(rollup.rejected_token_suspect)::bigint      AS rejected_token_suspect,
       sum(rollup.rejected_wrong_topic)::bigint        AS rejected_wrong_topic,
       sum(rollup.rejected_wrong_environment)::bigint  AS rejected_wrong_environment,
       sum(rollup.rejected_payload_error)::bigint      AS rejected_payload_error,
       sum(rollup.rejected_request_error)::bigint      AS rejected_request_error,
       sum(rollup.rejected_auth_error)::bigint         AS rejected_auth_error,
       sum(rollup.rejected_throttled)::bigint          AS rejected_throttled,
       sum(rollup.rejected_provider_error)::bigint     AS rejected_provider_error,
       sum(rollup.rejected_unknown)::bigint            AS rejected_unknown,
       sum(rollup.conflicting)::bigint                 AS conflicting,
       sum(rollup.reportable)::bigint                  AS reportable,
       sum(rollup.arrived)::bigint                     AS arrived,
       sum(rollup.arrived_reportable)::bigint          AS arrived_reportable,
       sum(rollup.confirmed)::bigint                   AS confirmed,
       sum(rollup.presented)::bigint                   AS presented,
       sum(rollup.clicked)::bigint                     AS clicked,
       sum(rollup.dismissed)::bigint                   AS dismissed,
       sum(rollup.confirmed_unreported)::bigint        AS confirmed_unreported,
       sum(rollup.responded_reportable)::bigint        AS responded_reportable,
       sum(rollup.contradicted)::bigint                AS contradicted,
       sum(rollup.unconfirmed_recalled)::bigint        AS unconfirmed_recalled,
       sum(rollup.unconfirmed_not_reportable)::bigint  AS unconfirmed_not_reportable
  FROM landfall.segment_rollup AS rollup
  JOIN landfall.app ON app.app_id = rollup.app_id
  JOIN landfall.campaign ON campaign.app_id = rollup.app_id AND campaign.campaign_id = rollup.campaign_id
  JOIN landfall.segment ON segment.app_id = rollup.app_id AND segment.segment_id = rollup.segment_id
 GROUP BY app.slug, (rollup.quarter AT TIME ZONE 'UTC')::date, campaign.key, campaign.variant,
          segment.provider, segment.environment, segment.topic, segment.push_type, segment.priority,
          segment.platform, segment.app_version, segment.os_version, segment.language, segment.permission;
COMMENT ON VIEW report_v1.funnel_by_segment IS 'The same by what was known about push and target when it was sent: one row per app, UTC day, campaign, variant and combination of traits. Many rows: filter by app and day.';
COMMENT ON COLUMN report_v1.funnel_by_segment.app IS 'The app, as --app names it.';
COMMENT ON COLUMN report_v1.funnel_by_segment.day IS 'The UTC day on which the notifications were sent.';
COMMENT ON COLUMN report_v1.funnel_by_segment.campaign IS 'The campaign as the sender names it; empty for notifications without one.';
COMMENT ON COLUMN report_v1.funnel_by_segment.variant IS 'The variant as the sender names it; empty without one.';
COMMENT ON COLUMN report_v1.funnel_by_segment.provider IS 'apns, fcm, webpush, … as the sender named it.';
COMMENT ON COLUMN report_v1.funnel_by_segment.environment IS 'production or sandbox.';
COMMENT ON COLUMN report_v1.funnel_by_segment.topic IS 'apns-topic; empty when unknown.';
COMMENT ON COLUMN report_v1.funnel_by_segment.push_type IS 'apns-push-type.';
COMMENT ON COLUMN report_v1.funnel_by_segment.priority IS 'apns-priority; empty when unknown.';
COMMENT ON COLUMN report_v1.funnel_by_segment.platform IS 'Of the installation; empty when unknown.';
COMMENT ON COLUMN report_v1.funnel_by_segment.app_version IS 'Of the installation; empty when unknown.';
COMMENT ON COLUMN report_v1.funnel_by_segment.os_version IS 'Of the installation; empty when unknown.';
COMMENT ON COLUMN report_v1.funnel_by_segment.language IS 'Of the installation; empty when unknown.';
COMMENT ON COLUMN report_v1.funnel_by_segment.permission IS 'Of the installation; empty when unknown.';
COMMENT ON COLUMN report_v1.funnel_by_segment.attempted IS 'A provider answer, or an explicit "no response", is recorded.';
COMMENT ON COLUMN report_v1.funnel_by_segment.accepted IS 'The provider answered 2xx. Accepted says nothing about arrival.';
COMMENT ON COLUMN report_v1.funnel_by_segment.rejected IS 'Rejected, never accepted: the sum of all classes, attempted - accepted.';
COMMENT ON COLUMN report_v1.funnel_by_segment.rejected_token_dead IS 'Rejected, never accepted: the token is dead.';
COMMENT ON COLUMN report_v1.funnel_by_segment.rejected_token_suspect IS 'Rejected, never accepted: the token is malformed or of another environment.';
COMMENT ON COLUMN report_v1.funnel_by_segment.rejected_wrong_topic IS 'Rejected, never accepted: token and topic do not belong together.';
COMMENT ON COLUMN report_v1.funnel_by_segment.rejected_wrong_environment IS 'Rejected, never accepted: credentials of the other environment.';
COMMENT ON COLUMN report_v1.funnel_by_segment.rejected_payload_error IS 'Rejected, never accepted: the payload.';
COMMENT ON COLUMN report_v1.funnel_by_segment.rejected_request_error IS 'Rejected, never accepted: the request.';
COMMENT ON COLUMN report_v1.funnel_by_segment.rejected_auth_error IS 'Rejected, never accepted: the credentials.';
COMMENT ON COLUMN report_v1.funnel_by_segment.rejected_throttled IS 'Rejected, never accepted: too many.';
COMMENT ON COLUMN report_v1.funnel_by_segment.rejected_provider_error IS 'Rejected, never accepted: the provider''s own trouble.';
COMMENT ON COLUMN report_v1.funnel_by_segment.rejected_unknown IS 'Rejected, never accepted: no answer came, or one that no list knows.';
COMMENT ON COLUMN report_v1.funnel_by_segment.conflicting IS 'Refused for more than one class of reason, never accepted.';
COMMENT ON COLUMN report_v1.funnel_by_segment.reportable IS 'Accepted, and its extension could run.';
COMMENT ON COLUMN report_v1.funnel_by_segment.arrived IS 'Accepted, and the extension reported it.';
COMMENT ON COLUMN report_v1.funnel_by_segment.arrived_reportable IS 'Arrived and reportable.';
COMMENT ON COLUMN report_v1.funnel_by_segment.confirmed IS 'Accepted, and arrived, presented, clicked or dismissed.';
COMMENT ON COLUMN report_v1.funnel_by_segment.presented IS 'Accepted, and handed to the app in front.';
COMMENT ON COLUMN report_v1.funnel_by_segment.clicked IS 'Accepted, and tapped or acted on.';
COMMENT ON COLUMN report_v1.funnel_by_segment.dismissed IS 'Accepted, and explicitly dismissed.';
COMMENT ON COLUMN report_v1.funnel_by_segment.confirmed_unreported IS 'Confirmed and reportable, but not arrived: a lost receipt.';
COMMENT ON COLUMN report_v1.funnel_by_segment.responded_reportable IS 'Reportable, and presented, clicked or dismissed.';
COMMENT ON COLUMN report_v1.funnel_by_segment.contradicted IS 'The device had it although no acceptance is on record.';
COMMENT ON COLUMN report_v1.funnel_by_segment.unconfirmed_recalled IS 'Accepted, not confirmed, withdrawn.';
COMMENT ON COLUMN report_v1.funnel_by_segment.unconfirmed_not_reportable IS 'Accepted, not confirmed, not withdrawn, not reportable.';

-- A row of the ledger counts from the day on which it and all earlier rows of its token happened, as in tokens_as_of.sql.
CREATE VIEW report_v1.tokens_by_day AS
-- A row of the ledger counts from the day on which it and all rows of its token before it happened, as in tokens_as_of.sql.
WITH step AS (
    SELECT transition.app_id, token.provider, token.kind, token.environment, transition.to_state,
           lag(transition.to_state) OVER chain                      AS former_state,
           (max(landfall.transition_time(transition.rule, transition.evidence, transition.at)) OVER chain
               AT TIME ZONE 'UTC')::date AS day
      FROM landfall.token_transition AS transition
      JOIN landfall.token ON token.token_id = transition.token_id AND token.app_id = transition.app_id
    WINDOW chain AS (PARTITION BY transition.app_id, transition.token_id ORDER BY transition.transition_id)
), moved AS (
    SELECT step.app_id, step.provider, step.kind, step.environment, side.state, step.day, sum(side.change) AS change
      FROM step
     CROSS JOIN LATERAL (VALUES (step.to_state, 1), (step.former_state, -1)) AS side (state, change)
     WHERE side.state IS NOT NULL
     GROUP BY step.app_id, step.provider, step.kind, step.environment, side.state, step.day
), known AS (
    SELECT app_id, provider, kind, environment, state, min(day) AS first_day
      FROM moved
     GROUP BY app_id, provider, kind, environment, state
), calendar AS (
    SELECT known.app_id, known.provider, known.kind, known.environment, known.state, known.first_day + passed AS day
      FROM known
     CROSS JOIN LATERAL generate_series(0, (now() AT TIME ZONE 'UTC')::date - known.first_day) AS passed
)
SELECT app.slug                                        AS app,
       calendar.day         AS day,
       calendar.provider    AS provider,
       calendar.kind        AS kind,
       calendar.environment AS environment,
       calendar.state       AS state,
       sum(coalesce(moved.change, 0)) OVER (
           PARTITION BY calendar.app_id, calendar.provider, calendar.kind, calendar.environment, calendar.state
               ORDER BY calendar.day)::bigint AS tokens
  FROM calendar
  JOIN landfall.app ON app.app_id = calendar.app_id
  LEFT JOIN moved
    ON moved.app_id = calendar.app_id AND moved.provider = calendar.provider AND moved.kind = calendar.kind
   AND moved.environment = calendar.environment AND moved.state = calendar.state AND moved.day = calendar.day;
COMMENT ON VIEW report_v1.tokens_by_day IS 'How many tokens were in which state when a UTC day ended, as the ledger tells it: one row per app, day up to today, provider, kind, environment and state, from the first day on which there was one. Reads the whole ledger, whatever is asked.';
COMMENT ON COLUMN report_v1.tokens_by_day.app IS 'The app, as --app names it.';
COMMENT ON COLUMN report_v1.tokens_by_day.day IS 'The UTC day; today''s row is as of now.';
COMMENT ON COLUMN report_v1.tokens_by_day.provider IS 'apns, fcm, webpush, …';
COMMENT ON COLUMN report_v1.tokens_by_day.kind IS 'alert, voip, live_activity_start, live_activity_update, web_push, fcm: that of today.';
COMMENT ON COLUMN report_v1.tokens_by_day.environment IS 'production or sandbox.';
COMMENT ON COLUMN report_v1.tokens_by_day.state IS 'active, suspect (do not trust, do not delete), stale (silent too long), retired (do not send).';
COMMENT ON COLUMN report_v1.tokens_by_day.tokens IS 'Tokens in this state at the end of the day. A token is in exactly one.';

CREATE VIEW report_v1.unmatched_by_day AS
SELECT app.slug                                        AS app,
       (rollup.quarter AT TIME ZONE 'UTC')::date       AS day,
       sum(rollup.unmatched)::bigint                   AS unmatched,
       sum(rollup.local)::bigint                       AS local
  FROM landfall.unmatched_rollup AS rollup
  JOIN landfall.app ON app.app_id = rollup.app_id
 GROUP BY app.slug, (rollup.quarter AT TIME ZONE 'UTC')::date;
COMMENT ON VIEW report_v1.unmatched_by_day IS 'Notifications with events but no provider answer (yet), which are in no funnel: one row per app and UTC day.';
COMMENT ON COLUMN report_v1.unmatched_by_day.app IS 'The app, as --app names it.';
COMMENT ON COLUMN report_v1.unmatched_by_day.day IS 'The UTC day on which they were sent, or first heard of.';
COMMENT ON COLUMN report_v1.unmatched_by_day.unmatched IS 'No answer on record: not yet posted, or another sender''s.';
COMMENT ON COLUMN report_v1.unmatched_by_day.local IS 'Shown by the app itself: no answer is expected.';
