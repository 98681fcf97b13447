-- What people read who bring their own tools: documented views over the counters and the ledger, in a schema that keeps its
-- promises (docs/sql.md, docs/decisions/0025). A view of report_v1 may get further columns, and never loses one or changes its
-- meaning; what has to is a view of report_v2.
--
-- Views read with the rights of their owner, so whoever may read a view needs no right to anything below it. None of them has a
-- device, a token, an account or a notification in it: names of apps and campaigns, traits, and counts.

CREATE SCHEMA IF NOT EXISTS report_v1;
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

-- Measures mean in the views what they mean in the counters.
DO $$
DECLARE
    view_name text;
    measure   record;
BEGIN
    FOREACH view_name IN ARRAY ARRAY['funnel_by_quarter', 'funnel_by_day', 'funnel_by_campaign', 'funnel_by_segment'] LOOP
        FOR measure IN
            SELECT attname AS name, col_description(attrelid, attnum) AS meaning
              FROM pg_catalog.pg_attribute
             WHERE attrelid = 'landfall.delivery_rollup'::regclass
               AND attnum > 0 AND NOT attisdropped
               AND attname NOT IN ('app_id', 'quarter', 'campaign_id', 'slot')
        LOOP
            EXECUTE format('COMMENT ON COLUMN report_v1.%I.%I IS %L', view_name, measure.name, measure.meaning);
        END LOOP;
        EXECUTE format($comments$
            COMMENT ON COLUMN report_v1.%1$I.app IS 'The app, as --app names it.';
            COMMENT ON COLUMN report_v1.%1$I.rejected IS 'Rejected, never accepted: the sum of all classes, attempted - accepted.';
        $comments$, view_name);
        IF view_name = 'funnel_by_quarter' THEN
            COMMENT ON COLUMN report_v1.funnel_by_quarter.quarter IS 'Start of the quarter hour in which the notifications were sent.';
        ELSE
            EXECUTE format(
                'COMMENT ON COLUMN report_v1.%I.day IS %L', view_name, 'The UTC day on which the notifications were sent.');
        END IF;
        IF view_name <> 'funnel_by_day' THEN
            EXECUTE format($comments$
                COMMENT ON COLUMN report_v1.%1$I.campaign IS 'The campaign as the sender names it; empty for notifications without one.';
                COMMENT ON COLUMN report_v1.%1$I.variant IS 'The variant as the sender names it; empty without one.';
            $comments$, view_name);
        END IF;
    END LOOP;
    FOR measure IN
        SELECT trait.attname AS name, col_description('landfall.segment'::regclass, trait.attnum) AS meaning
          FROM pg_catalog.pg_attribute AS trait
          JOIN pg_catalog.pg_attribute AS shown
            ON shown.attrelid = 'report_v1.funnel_by_segment'::regclass AND shown.attname = trait.attname
         WHERE trait.attrelid = 'landfall.segment'::regclass AND trait.attnum > 0
    LOOP
        EXECUTE format('COMMENT ON COLUMN report_v1.funnel_by_segment.%I IS %L', measure.name, measure.meaning);
    END LOOP;
END;
$$;

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

CREATE VIEW report_v1.tokens_by_day AS
-- A row of the ledger counts from the day on which it and all rows of its token before it were decided, as in tokens_as_of.sql.
WITH step AS (
    SELECT transition.app_id, token.provider, token.kind, token.environment, transition.to_state,
           lag(transition.to_state) OVER chain                      AS former_state,
           (max(transition.at) OVER chain AT TIME ZONE 'UTC')::date AS day
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
