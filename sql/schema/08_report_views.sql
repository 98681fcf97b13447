-- Documented views over counters and ledger for dashboards and analysts (docs/sql.md, docs/decisions/0025). A
-- view may gain columns, but never loses one or changes its meaning; that would need report_v2.
--
-- Views read with the privileges of their owner, so a reader needs none on the tables. No view contains a
-- device, a token, an account or a notification: only names of apps and campaigns, traits, and counts.

CREATE SCHEMA report_v1;
COMMENT ON SCHEMA report_v1 IS 'Documented views for dashboards and analysts: counts only, no personal data. landfall migrate --report-role NAME lets a role read them and nothing else.';

-- The funnel at four grains. The views have one column per row of landfall.measure.
DO $$
DECLARE
    wanted record;
    described record;
BEGIN
    FOR wanted IN
        SELECT * FROM (VALUES
            ('funnel_by_quarter', 'quarter', 'headline_quarter', 'quarter', true, false,
             'How far notifications got: one row per app, quarter hour, campaign and variant. For days of other time zones than UTC, and for queries that filter by time.'),
            ('funnel_by_day', 'day', 'headline_day', $day$ date_trunc('day', quarter, 'UTC') $day$, false, false,
             'How far notifications got: one row per app and UTC day on which any was sent.'),
            ('funnel_by_campaign', 'day', 'headline_day', $day$ date_trunc('day', quarter, 'UTC') $day$, true, false,
             'How far notifications got: one row per app, UTC day, campaign and variant.'),
            ('funnel_by_segment', 'day', 'day', $day$ date_trunc('day', quarter, 'UTC') $day$, true, true,
             'How far notifications got, by what was known about push and target when it was sent: one row per app, UTC day, campaign, variant and combination of traits. There are many rows: filter by app and day.')
        ) AS view (name, period, grain, starts_at, has_campaign, has_segment, meaning)
    LOOP
        EXECUTE format($view$
            CREATE VIEW report_v1.%I AS
            SELECT app.slug AS app, %s %s %s %s
              FROM (SELECT app_id, starts_at, campaign_id, segment_id, state, notifications
                      FROM landfall.counter
                     WHERE grain = %L
                    UNION ALL
                    SELECT app_id, %s, campaign_id, segment_id, state, notifications
                      FROM landfall.counter_live) AS counted
             CROSS JOIN LATERAL landfall.measures(counted.state) AS measure
              JOIN landfall.app ON app.app_id = counted.app_id
              %s %s
             WHERE measure.attempted
             GROUP BY app.slug, counted.starts_at %s %s
            HAVING sum(notifications) > 0 $view$,
            wanted.name,
            CASE WHEN wanted.period = 'quarter' THEN 'counted.starts_at AS quarter,'
                 ELSE $day$ (counted.starts_at AT TIME ZONE 'UTC')::date AS day, $day$ END,
            CASE WHEN wanted.has_campaign THEN 'campaign.key AS campaign, campaign.variant,' END,
            CASE WHEN wanted.has_segment THEN 'segment.provider, segment.environment, segment.topic, segment.push_type,
                segment.priority, segment.platform, segment.app_version, segment.os_version, segment.language,
                segment.permission,' END,
            (SELECT string_agg(format('coalesce(sum(notifications) FILTER (WHERE measure.%I), 0)::bigint AS %I', name, name), ', '
                               ORDER BY position) FROM landfall.measure),
            wanted.grain, wanted.starts_at,
            CASE WHEN wanted.has_campaign THEN 'JOIN landfall.campaign
                ON campaign.app_id = counted.app_id AND campaign.campaign_id = counted.campaign_id' END,
            CASE WHEN wanted.has_segment THEN 'JOIN landfall.segment
                ON segment.app_id = counted.app_id AND segment.segment_id = counted.segment_id' END,
            CASE WHEN wanted.has_campaign THEN ', campaign.key, campaign.variant' END,
            CASE WHEN wanted.has_segment THEN ', segment.provider, segment.environment, segment.topic, segment.push_type,
                segment.priority, segment.platform, segment.app_version, segment.os_version, segment.language,
                segment.permission' END);
        EXECUTE format('COMMENT ON VIEW report_v1.%I IS %L', wanted.name, wanted.meaning);
        FOR described IN
            SELECT name, meaning FROM landfall.measure
            UNION ALL
            SELECT * FROM (VALUES
                ('app', 'The app, as --app names it.'),
                ('quarter', 'Start of the quarter hour in which the notifications were sent.'),
                ('day', 'The UTC day on which the notifications were sent.'),
                ('campaign', 'The campaign as the sender names it; empty for notifications without one.'),
                ('variant', 'The variant as the sender names it; empty if there is none.'),
                ('provider', 'apns, fcm, webpush, … as the sender named it.'), ('environment', 'production or sandbox.'),
                ('topic', 'apns-topic; empty if unknown.'), ('push_type', 'apns-push-type.'),
                ('priority', 'apns-priority; empty if unknown.'),
                ('platform', 'The platform of the installation; empty if unknown.'),
                ('app_version', 'The app version of the installation; empty if unknown.'),
                ('os_version', 'The OS version of the installation; empty if unknown.'),
                ('language', 'The language of the installation; empty if unknown.'),
                ('permission', 'The notification permission of the installation; empty if unknown.')) AS key (name, meaning)
        LOOP
            IF EXISTS (SELECT FROM pg_attribute
                        WHERE attrelid = format('report_v1.%I', wanted.name)::regclass AND attname = described.name) THEN
                EXECUTE format('COMMENT ON COLUMN report_v1.%I.%I IS %L', wanted.name, described.name, described.meaning);
            END IF;
        END LOOP;
    END LOOP;
END;
$$;

-- A transition counts from the day by which it and its token's earlier ones have happened (tokens_as_of.sql).
CREATE VIEW report_v1.tokens_by_day AS
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
SELECT app.slug AS app, day, provider, kind, environment, state,
       sum(coalesce(moved.change, 0)) OVER (
           PARTITION BY app_id, provider, kind, environment, state ORDER BY day)::bigint AS tokens
  FROM calendar
  LEFT JOIN moved USING (app_id, provider, kind, environment, state, day)
  JOIN landfall.app USING (app_id);
COMMENT ON VIEW report_v1.tokens_by_day IS 'Tokens by state at the end of each UTC day, according to the ledger: one row per app, day up to today, provider, kind, environment and state, from the first day on which there was one. Every query reads the whole ledger.';
COMMENT ON COLUMN report_v1.tokens_by_day.app IS 'The app, as --app names it.';
COMMENT ON COLUMN report_v1.tokens_by_day.day IS 'The UTC day; for today, the tokens as of now.';
COMMENT ON COLUMN report_v1.tokens_by_day.provider IS 'apns, fcm, webpush, …';
COMMENT ON COLUMN report_v1.tokens_by_day.kind IS 'alert, voip, live_activity_start, live_activity_update, web_push, fcm: the token''s present kind.';
COMMENT ON COLUMN report_v1.tokens_by_day.environment IS 'production or sandbox.';
COMMENT ON COLUMN report_v1.tokens_by_day.state IS 'active, suspect (do not trust, do not delete), stale (silent too long), retired (do not send).';
COMMENT ON COLUMN report_v1.tokens_by_day.tokens IS 'Tokens in this state at the end of the day. Each token is in exactly one state.';

CREATE VIEW report_v1.unmatched_by_day AS
SELECT app.slug AS app, (counted.quarter AT TIME ZONE 'UTC')::date AS day,
       coalesce(sum(notifications) FILTER (WHERE state & 256 = 0), 0)::bigint  AS unmatched,
       coalesce(sum(notifications) FILTER (WHERE state & 256 <> 0), 0)::bigint AS local
  FROM landfall.headline_by_quarter AS counted
  JOIN landfall.app ON app.app_id = counted.app_id
 WHERE counted.state & 1 = 0
 GROUP BY app.slug, (counted.quarter AT TIME ZONE 'UTC')::date
HAVING sum(notifications) > 0;
COMMENT ON VIEW report_v1.unmatched_by_day IS 'Notifications with events but no provider response (yet), which are in no funnel: one row per app and UTC day.';
COMMENT ON COLUMN report_v1.unmatched_by_day.app IS 'The app, as --app names it.';
COMMENT ON COLUMN report_v1.unmatched_by_day.day IS 'The UTC day on which they were sent or, if that is not known, on which the first event came in.';
COMMENT ON COLUMN report_v1.unmatched_by_day.unmatched IS 'Notifications without a response: it is not posted yet, or their sender does not post.';
COMMENT ON COLUMN report_v1.unmatched_by_day.local IS 'Notifications that the app itself showed: no response is expected.';
