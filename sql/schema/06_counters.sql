-- Counters, which reports read: how many notifications are in which state, equal to the rows of delivery at
-- every commit (docs/decisions/0041).
--
-- A counter is a histogram of states: the key identifies the quarter hour, campaign, segment and response,
-- the state says what happened to the notifications, and a measure is a predicate over the state. Writers
-- count in counter_live; maintenance moves rows older than an hour to counter.

CREATE TABLE landfall.counter_live (
    app_id bigint NOT NULL, quarter timestamptz NOT NULL, campaign_id bigint NOT NULL,
    segment_id bigint NOT NULL, response_id bigint NOT NULL, notifications bigint NOT NULL,
    state integer NOT NULL, shard smallint NOT NULL,
    CONSTRAINT counter_live_pkey PRIMARY KEY (app_id, quarter, campaign_id, segment_id, response_id, state, shard)
) WITH (fillfactor = 50);
COMMENT ON TABLE landfall.counter_live IS 'Counts of notifications by state, as writers change them. A shard may be negative in a state that its notifications left for another; the sum over shards and landfall.counter never is.';
COMMENT ON COLUMN landfall.counter_live.quarter IS 'Start of the quarter hour of sent_at.';
COMMENT ON COLUMN landfall.counter_live.campaign_id IS 'Campaign and variant; 0 while no response is recorded.';
COMMENT ON COLUMN landfall.counter_live.segment_id IS 'What was known about push and target when it was sent; 0 while no response is recorded.';
COMMENT ON COLUMN landfall.counter_live.response_id IS 'The response of a rejected notification; 0 if it is not rejected.';
COMMENT ON COLUMN landfall.counter_live.state IS 'Bits of DeliveryState, never 0. landfall.measures lists the measures it counts in.';
COMMENT ON COLUMN landfall.counter_live.shard IS 'The writer''s share, so that concurrent writers do not wait for each other.';

CREATE TYPE landfall.state_change AS (
    app_id bigint, quarter timestamptz, campaign_id bigint, segment_id bigint, response_id bigint,
    state integer, notifications bigint
);
COMMENT ON TYPE landfall.state_change IS 'A batch''s change to a row of counter_live.';

CREATE TYPE landfall.counter_grain AS ENUM ('quarter', 'day', 'headline_quarter', 'headline_day');
COMMENT ON TYPE landfall.counter_grain IS 'Quarter hours or UTC days; headlines leave out segment and response.';

CREATE TABLE landfall.counter (
    grain landfall.counter_grain NOT NULL, app_id bigint NOT NULL, starts_at timestamptz NOT NULL,
    campaign_id bigint NOT NULL, segment_id bigint NOT NULL, response_id bigint NOT NULL,
    notifications bigint NOT NULL, state integer NOT NULL,
    CONSTRAINT counter_pkey PRIMARY KEY (app_id, starts_at, campaign_id, segment_id, response_id, state, grain) INCLUDE (notifications)
) PARTITION BY LIST (grain);
CREATE TABLE landfall.counter_quarter PARTITION OF landfall.counter FOR VALUES IN ('quarter');
CREATE TABLE landfall.counter_day PARTITION OF landfall.counter FOR VALUES IN ('day');
CREATE TABLE landfall.headline_quarter PARTITION OF landfall.counter FOR VALUES IN ('headline_quarter');
CREATE TABLE landfall.headline_day PARTITION OF landfall.counter FOR VALUES IN ('headline_day');
COMMENT ON TABLE landfall.counter IS 'Counters that maintenance folded out of counter_live, at four grains that agree at every commit.';
COMMENT ON COLUMN landfall.counter.grain IS 'Quarter hours or UTC days, with or without segment and response.';
COMMENT ON COLUMN landfall.counter.starts_at IS 'Start of the quarter hour or UTC day of sent_at.';
COMMENT ON COLUMN landfall.counter.campaign_id IS 'Campaign and variant; 0 while no response is recorded.';
COMMENT ON COLUMN landfall.counter.segment_id IS 'What was known about push and target; 0 while no response is recorded, and in headlines.';
COMMENT ON COLUMN landfall.counter.response_id IS 'The response of a rejected notification; 0 if it is not rejected, and in headlines.';
COMMENT ON COLUMN landfall.counter.notifications IS 'Number of notifications; never 0.';
COMMENT ON COLUMN landfall.counter.state IS 'Bits of DeliveryState, never 0.';

CREATE VIEW landfall.counter_by_quarter AS
SELECT app_id, starts_at AS quarter, campaign_id, segment_id, response_id, state, notifications
  FROM landfall.counter WHERE grain = 'quarter'
UNION ALL
SELECT app_id, quarter, campaign_id, segment_id, response_id, state, notifications
  FROM landfall.counter_live;
COMMENT ON VIEW landfall.counter_by_quarter IS 'All counters by quarter hour and segment. Sum the rows.';

CREATE VIEW landfall.headline_by_quarter AS
SELECT app_id, starts_at AS quarter, campaign_id, state, notifications
  FROM landfall.counter WHERE grain = 'headline_quarter'
UNION ALL
SELECT app_id, quarter, campaign_id, state, notifications
  FROM landfall.counter_live;
COMMENT ON VIEW landfall.headline_by_quarter IS 'All counters by quarter hour and campaign. Sum the rows.';

-- The classes of a rejected notification, one bit each. Final rejections are bits 9 to 15 and 26 to 28 of the
-- state, others 16 to 25, both in the order of the classes. With a final rejection, only final ones count.
CREATE FUNCTION landfall.rejection_bits(state integer) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN $1 & 3 <> 1 THEN 0
            WHEN $1 & 469827072 <> 0 THEN (($1 >> 9) & 127) | ((($1 >> 26) & 7) << 7)
            ELSE ($1 >> 16) & 1023 END;
COMMENT ON FUNCTION landfall.rejection_bits IS 'The classes that a notification was rejected for, one bit each, the most final lowest; 0 if it is not rejected.';

-- Every number of the funnel, defined once: counts is the condition of the states that it sums, in the bit
-- names that the function below lists. Measure.swift repeats them; MeasureViewTests compares the two.
CREATE TABLE landfall.measure (
    name text NOT NULL, counts text NOT NULL, meaning text NOT NULL,
    position integer GENERATED ALWAYS AS IDENTITY,
    CONSTRAINT measure_pkey PRIMARY KEY (name)
);
COMMENT ON TABLE landfall.measure IS 'The numbers of the funnel and the states that count in each.';
COMMENT ON COLUMN landfall.measure.name IS 'The column of landfall.measures and of the views of report_v1.';
COMMENT ON COLUMN landfall.measure.counts IS 'The condition that a state must meet.';
COMMENT ON COLUMN landfall.measure.meaning IS 'The condition in words.';
COMMENT ON COLUMN landfall.measure.position IS 'The order of the columns.';

INSERT INTO landfall.measure (name, counts, meaning) VALUES
    ('attempted', 'attempted', 'A provider''s response, or the lack of one, is recorded.'),
    ('accepted', 'accepted', 'The provider accepted it. That says nothing about arrival.'),
    ('rejected', 'attempted AND NOT accepted', 'Rejected, and never accepted: attempted - accepted, the sum of all classes.'),
    ('rejected_token_dead', 'class = 1', 'Rejected because the token is dead.'),
    ('rejected_token_suspect', 'class = 2', 'Rejected because the token is malformed or belongs to another environment.'),
    ('rejected_wrong_topic', 'class = 4', 'Rejected because the token does not belong to the topic.'),
    ('rejected_wrong_environment', 'class = 8', 'Rejected because the credentials belong to the other environment.'),
    ('rejected_payload_error', 'class = 16', 'Rejected because of the payload.'),
    ('rejected_request_error', 'class = 32', 'Rejected because of the request.'),
    ('rejected_auth_error', 'class = 64', 'Rejected because of the credentials.'),
    ('rejected_throttled', 'class = 128', 'Rejected because there were too many pushes.'),
    ('rejected_provider_error', 'class = 256', 'Rejected because the provider failed.'),
    ('rejected_unknown', 'class = 512', 'Rejected with a response that is on no list, or without a response.'),
    ('conflicting', 'classes <> class', 'Rejected for reasons of more than one class. It counts in the most final one.'),
    ('reportable', 'accepted AND can_report', 'Accepted, and an extension could report its arrival.'),
    ('arrived', 'accepted AND arrived', 'Accepted, and the extension reported its arrival.'),
    ('arrived_reportable', 'accepted AND arrived AND can_report', 'Arrived and reportable.'),
    ('arrived_clicked', 'accepted AND arrived AND clicked', 'Arrived and clicked.'),
    ('confirmed', 'accepted AND seen', 'Accepted, and the device certainly had it: arrived, presented, clicked, dismissed, or witnessed otherwise.'),
    ('confirmed_signed', 'accepted AND seen AND signed', 'Confirmed by an event with a valid receipt, or from a server.'),
    ('presented', 'accepted AND presented', 'Accepted, and received by the app in the foreground.'),
    ('clicked', 'accepted AND clicked', 'Accepted, and tapped or acted on.'),
    ('dismissed', 'accepted AND dismissed', 'Accepted, and explicitly dismissed.'),
    ('confirmed_unreported', 'accepted AND can_report AND seen AND NOT arrived', 'Confirmed and reportable, but its arrival was not reported: a lost receipt.'),
    ('responded_reportable', 'accepted AND can_report AND seen_otherwise', 'Reportable, and presented, clicked, dismissed, or witnessed otherwise.'),
    ('contradicted', 'attempted AND NOT accepted AND seen', 'A device had it, although no acceptance is recorded.'),
    ('misdirected', 'attempted AND misdirected', 'Another installation than the push''s reported it. Such events confirm nothing.'),
    ('unconfirmed_recalled', 'accepted AND NOT seen AND recalled', 'Accepted, not confirmed, and withdrawn.'),
    ('unconfirmed_not_reportable', 'accepted AND NOT seen AND NOT recalled AND NOT can_report', 'Accepted, not confirmed, not withdrawn, and not reportable.');

-- Generated from the table, so that the two cannot differ.
DO $$
BEGIN
    EXECUTE format($define$
        CREATE FUNCTION landfall.measures(state integer) RETURNS TABLE (%s)
        LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 1
        BEGIN ATOMIC
            SELECT %s
              FROM (SELECT $1 & 1 <> 0 AS attempted, $1 & 2 <> 0 AS accepted, $1 & 4 <> 0 AS can_report, $1 & 8 <> 0 AS arrived,
                           $1 & 16 <> 0 AS presented, $1 & 32 <> 0 AS clicked, $1 & 64 <> 0 AS dismissed,
                           $1 & 128 <> 0 AS recalled, $1 & 1073741824 <> 0 AS signed, $1 & 536870912 <> 0 AS misdirected,
                           $1 & 120 <> 0 OR $1 < 0 AS seen, $1 & 112 <> 0 OR $1 < 0 AS seen_otherwise,
                           landfall.rejection_bits($1) AS classes,
                           landfall.rejection_bits($1) & -landfall.rejection_bits($1) AS class) AS state;
        END $define$,
        (SELECT string_agg(format('%I boolean', name), ', ' ORDER BY position) FROM landfall.measure),
        (SELECT string_agg(counts, ', ' ORDER BY position) FROM landfall.measure));
END;
$$;
COMMENT ON FUNCTION landfall.measures IS 'The measures that a notification in this state counts in: one column per row of landfall.measure. The planner inlines the call and evaluates only the columns that a query reads.';

-- Facts for the reports on latency and extensions (docs/decisions/0022).
CREATE TABLE landfall.latency_bucket (
    bucket smallint NOT NULL, from_ms bigint NOT NULL, to_ms bigint,
    CONSTRAINT latency_bucket_pkey PRIMARY KEY (bucket)
);
COMMENT ON TABLE landfall.latency_bucket IS 'Buckets of latencies. The last millisecond of a bucket is at most 10 % above its first, so the geometric mean of the two is at most 4.9 % off.';
COMMENT ON COLUMN landfall.latency_bucket.bucket IS 'From the shortest to the longest; 0 holds latencies of 0 ms or, if clocks disagree, less.';
COMMENT ON COLUMN landfall.latency_bucket.from_ms IS 'The lower bound in milliseconds, inclusive.';
COMMENT ON COLUMN landfall.latency_bucket.to_ms IS 'The upper bound in milliseconds, exclusive; null for the last bucket.';

-- Each bound is 10 % and 1 ms above the one before, up to the first past 31 days.
WITH RECURSIVE bound (bucket, from_ms) AS (
    SELECT 1, 1::bigint
    UNION ALL
    SELECT bucket + 1, from_ms * 11 / 10 + 1 FROM bound WHERE from_ms < 31 * 86400000::bigint
)
INSERT INTO landfall.latency_bucket (bucket, from_ms, to_ms)
SELECT 0, 0, 1
UNION ALL
SELECT bucket, from_ms, lead(from_ms) OVER (ORDER BY bucket) FROM bound;

-- Generated from the table, so that the two cannot differ.
DO $$
BEGIN
    EXECUTE format(
        'CREATE FUNCTION landfall.latency_bucket_of(ms bigint) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE '
        'RETURN width_bucket(ms, %L::bigint[])::smallint',
        (SELECT array_agg(from_ms ORDER BY bucket) FROM landfall.latency_bucket WHERE bucket > 0));
END;
$$;
COMMENT ON FUNCTION landfall.latency_bucket_of IS 'The bucket of landfall.latency_bucket for this many milliseconds; null for null.';

CREATE TABLE landfall.latency_rollup (
    app_id bigint NOT NULL, quarter timestamptz NOT NULL, campaign_id bigint NOT NULL, stage text NOT NULL,
    bucket smallint NOT NULL, shard smallint NOT NULL, notifications bigint NOT NULL,
    CONSTRAINT latency_rollup_pkey PRIMARY KEY (app_id, quarter, campaign_id, stage, bucket, shard),
    CONSTRAINT latency_rollup_stage_check CHECK (stage IN ('arrival', 'click', 'arrival_by_receipt', 'click_by_receipt'))
) WITH (fillfactor = 70);
COMMENT ON TABLE landfall.latency_rollup IS 'Latencies of accepted notifications whose times are known, by bucket. Exact at every commit.';
COMMENT ON COLUMN landfall.latency_rollup.quarter IS 'Start of the quarter hour of sent_at.';
COMMENT ON COLUMN landfall.latency_rollup.campaign_id IS 'Campaign and variant.';
COMMENT ON COLUMN landfall.latency_rollup.stage IS 'arrival: from sending to the arrival; click: from the arrival to the click; with _by_receipt: those of them for which at least one time is a time of receipt.';
COMMENT ON COLUMN landfall.latency_rollup.bucket IS 'The latency, see latency_bucket.';
COMMENT ON COLUMN landfall.latency_rollup.shard IS 'The writer''s number; -1: folded by maintenance.';
CREATE INDEX latency_rollup_unfolded_idx ON landfall.latency_rollup (quarter) WHERE (shard >= 0);

CREATE TABLE landfall.latency_day_rollup (
    app_id bigint NOT NULL, day timestamptz NOT NULL, campaign_id bigint NOT NULL, stage text NOT NULL,
    bucket smallint NOT NULL, notifications bigint NOT NULL,
    CONSTRAINT latency_day_rollup_pkey PRIMARY KEY (app_id, day, campaign_id, stage, bucket)
) WITH (fillfactor = 70);
COMMENT ON TABLE landfall.latency_day_rollup IS 'For each UTC day, the sum of the rows of latency_rollup in shard -1, at every commit.';
COMMENT ON COLUMN landfall.latency_day_rollup.day IS 'The start of the UTC day.';
COMMENT ON COLUMN landfall.latency_day_rollup.campaign_id IS 'Campaign and variant.';
COMMENT ON COLUMN landfall.latency_day_rollup.stage IS 'As in latency_rollup.';
COMMENT ON COLUMN landfall.latency_day_rollup.bucket IS 'The latency, see latency_bucket.';

CREATE TYPE landfall.latency_change AS (
    app_id bigint, quarter timestamptz, campaign_id bigint, stage text, bucket smallint, notifications bigint
);
COMMENT ON TYPE landfall.latency_change IS 'A batch''s change to a row of latency_rollup.';

-- Facts that tell which app versions report arrivals (docs/decisions/0033).
CREATE TABLE landfall.version_rollup (
    app_id bigint NOT NULL, day timestamptz NOT NULL, platform text NOT NULL, app_version text NOT NULL,
    shard smallint NOT NULL, reportable bigint NOT NULL, arrived_named bigint NOT NULL,
    arrived_unnamed bigint NOT NULL,
    CONSTRAINT version_rollup_pkey PRIMARY KEY (app_id, day, platform, app_version, shard)
) WITH (fillfactor = 70);
COMMENT ON TABLE landfall.version_rollup IS 'How many of the reportable notifications each app version reported. Exact at every commit.';
COMMENT ON COLUMN landfall.version_rollup.day IS 'The start of the UTC day of sent_at.';
COMMENT ON COLUMN landfall.version_rollup.platform IS 'As in segment; empty when unknown.';
COMMENT ON COLUMN landfall.version_rollup.app_version IS 'As in segment: the version registered when the push was sent; never empty.';
COMMENT ON COLUMN landfall.version_rollup.shard IS 'The writer''s number; -1: folded by maintenance.';
COMMENT ON COLUMN landfall.version_rollup.reportable IS 'Accepted notifications that an extension could report, to installations that show alerts.';
COMMENT ON COLUMN landfall.version_rollup.arrived_named IS 'Those of them whose arrival event names this version.';
COMMENT ON COLUMN landfall.version_rollup.arrived_unnamed IS 'Those of them whose arrival event names no version.';
CREATE INDEX version_rollup_unfolded_idx ON landfall.version_rollup (day) WHERE (shard >= 0);

CREATE TYPE landfall.version_change AS (
    app_id bigint, segment_id bigint, day timestamptz, measure text, arrived_version text,
    notifications bigint
);
COMMENT ON TYPE landfall.version_change IS 'A batch''s change to the notifications of a segment that are reportable, or that also arrived; arrived_version is the version that the arrivals named, empty if none.';

-- The planner inlines these functions.
CREATE FUNCTION landfall.wilson_low(part double precision, whole double precision) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN $2 > 0 AND $1 > 0
                THEN ($1 + 1.92072941 - 1.95996398 * sqrt($1 * greatest($2 - $1, 0) / $2 + 0.96036471)) / ($2 + 3.84145882)
                ELSE 0 END
$$;
COMMENT ON FUNCTION landfall.wilson_low IS 'The lower end of Wilson''s 95 % interval of a proportion.';

CREATE FUNCTION landfall.version_reports(
    reportable double precision, arrived_named double precision, arrived_unnamed double precision
) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT landfall.wilson_low($2, $1) > 0.02 OR landfall.wilson_low($2 + $3, $1) > 0.1
$$;
COMMENT ON FUNCTION landfall.version_reports IS 'Whether an app version has an extension that reports: surely more than 2 % of the reportable notifications have an arrival that names this version, or surely more than 10 % if arrivals that name no version also count. Those may come from installations that were updated since.';

CREATE VIEW landfall.reporting_version AS
SELECT app_id, platform, app_version
  FROM landfall.version_rollup
 GROUP BY app_id, platform, app_version
HAVING landfall.version_reports(sum(reportable), sum(arrived_named), sum(arrived_unnamed));
COMMENT ON VIEW landfall.reporting_version IS 'App versions whose notification service extension reports arrivals, judged by all notifications ever counted. The only definition.';

-- Sketches of targeted, reached and engaged installations, for reach over long windows (docs/decisions/0024).
-- They are values of the extension hll, stored as bytes, so the table does not need the extension.
CREATE TABLE landfall.reach_sketch (
    app_id bigint NOT NULL, quarters smallint NOT NULL, starts_at timestamptz NOT NULL,
    campaign_id bigint NOT NULL, targeted bytea, reached bytea, engaged bytea, loose_tokens bigint[],
    without_target bigint NOT NULL, attempted bigint NOT NULL, confirmed bigint NOT NULL,
    clicked bigint NOT NULL, built_at timestamptz NOT NULL,
    CONSTRAINT reach_sketch_pkey PRIMARY KEY (app_id, quarters, starts_at, campaign_id) INCLUDE (attempted, confirmed, clicked),
    CONSTRAINT reach_sketch_quarters_check CHECK (quarters IN (1, 4, 16, 96))
);
-- Sketches are packed bits: compressing them takes time and saves nothing.
ALTER TABLE landfall.reach_sketch ALTER COLUMN targeted SET STORAGE EXTERNAL;
ALTER TABLE landfall.reach_sketch ALTER COLUMN reached SET STORAGE EXTERNAL;
ALTER TABLE landfall.reach_sketch ALTER COLUMN engaged SET STORAGE EXTERNAL;
COMMENT ON TABLE landfall.reach_sketch IS 'The targeted, reached and engaged installations of a span of sent_at, as HyperLogLog sketches. A cache: a row is valid while its three counts equal those of the counters, and may be deleted at any time.';
COMMENT ON COLUMN landfall.reach_sketch.quarters IS 'The length of the span in quarter hours: 1, 4, 16 (four hours) or 96 (a UTC day).';
COMMENT ON COLUMN landfall.reach_sketch.starts_at IS 'The start of the span: a multiple of its length since midnight UTC.';
COMMENT ON COLUMN landfall.reach_sketch.campaign_id IS 'Campaign and variant; 0: all campaigns of the app.';
COMMENT ON COLUMN landfall.reach_sketch.targeted IS 'Installations with an attempted notification, as the bytes of an hll; null if there are none.';
COMMENT ON COLUMN landfall.reach_sketch.reached IS 'Installations with a confirmed notification; null if there are none.';
COMMENT ON COLUMN landfall.reach_sketch.engaged IS 'Installations with a click; null if there are none.';
COMMENT ON COLUMN landfall.reach_sketch.loose_tokens IS 'Tokens of notifications without an installation: 4 * token_id, + 1 if reached, + 2 if engaged. Their holders can change, so each report looks them up.';
COMMENT ON COLUMN landfall.reach_sketch.without_target IS 'Notifications that name neither a token nor an installation.';
COMMENT ON COLUMN landfall.reach_sketch.attempted IS 'Attempted notifications in the sketches.';
COMMENT ON COLUMN landfall.reach_sketch.confirmed IS 'Confirmed notifications among them.';
COMMENT ON COLUMN landfall.reach_sketch.clicked IS 'Clicked notifications among them.';
COMMENT ON COLUMN landfall.reach_sketch.built_at IS 'When the sketches were built.';

-- Building blocks of reports; the planner inlines them.
CREATE FUNCTION landfall.report_period(instant timestamptz, time_zone text, unit text) RETURNS timestamp
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN $3 IS NOT NULL THEN date_trunc($3, $1 AT TIME ZONE $2) END
$$;
COMMENT ON FUNCTION landfall.report_period IS 'The local hour, day, week or month that contains an instant; null without a unit.';

CREATE FUNCTION landfall.report_utc_offset(instant timestamptz, time_zone text, unit text) RETURNS integer
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN $3 = 'hour'
                THEN extract(EPOCH FROM ($1 AT TIME ZONE $2) - ($1 AT TIME ZONE 'UTC'))::integer / 60 END
$$;
COMMENT ON FUNCTION landfall.report_utc_offset IS 'Minutes that local time is ahead of UTC, for reports by hour; null otherwise. It tells apart the two hours with the same local time when daylight saving time ends.';

CREATE FUNCTION landfall.report_days(from_quarter timestamptz, to_quarter timestamptz, time_zone text, unit text)
RETURNS TABLE (day timestamptz, period timestamp)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT day, landfall.report_period(day + interval '12 hours', $3, $4)
      FROM generate_series(date_bin('24 hours', $1 + interval '24 hours' - interval '15 minutes', '2000-01-01 00:00:00+00'),
                           date_bin('24 hours', $2, '2000-01-01 00:00:00+00') - interval '24 hours',
                           interval '24 hours') AS day
     WHERE $4 IS DISTINCT FROM 'hour'
$$;
COMMENT ON FUNCTION landfall.report_days IS 'The UTC days that are completely inside a window, each with the local period that contains most of it. None for reports by hour.';

CREATE FUNCTION landfall.report_quarters(from_quarter timestamptz, to_quarter timestamptz, time_zone text, unit text)
RETURNS TABLE (quarter timestamptz, period timestamp, utc_offset_minutes integer, weight integer)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    WITH whole AS (
        SELECT day, period FROM landfall.report_days($1, $2, $3, $4)
    ), edge AS (
        SELECT generate_series($1, coalesce((SELECT min(day) FROM whole), $2) - interval '15 minutes', interval '15 minutes')
                   AS quarter
        UNION ALL
        SELECT generate_series((SELECT max(day) FROM whole) + interval '24 hours', $2 - interval '15 minutes',
                               interval '15 minutes')
    ), stray AS (
        -- If a day's first and last quarter hours are in its period, so are the others; none are generated.
        SELECT quarter, landfall.report_period(quarter, $3, $4) AS period, whole.period AS period_of_day
          FROM whole
         CROSS JOIN LATERAL generate_series(whole.day, whole.day + interval '24 hours' - interval '15 minutes',
                                            interval '15 minutes') AS quarter
         WHERE landfall.report_period(quarter, $3, $4) IS DISTINCT FROM whole.period
           AND (landfall.report_period(whole.day, $3, $4) IS DISTINCT FROM whole.period
                OR landfall.report_period(whole.day + interval '24 hours' - interval '15 minutes', $3, $4)
                   IS DISTINCT FROM whole.period)
    )
    SELECT quarter, landfall.report_period(quarter, $3, $4), landfall.report_utc_offset(quarter, $3, $4), 1 FROM edge
    UNION ALL
    SELECT quarter, period, NULL::integer, 1 FROM stray
    UNION ALL
    SELECT quarter, period_of_day, NULL::integer, -1 FROM stray
$$;
COMMENT ON FUNCTION landfall.report_quarters IS 'The quarter hours that report_days leaves out (weight 1), and those that it assigns to the wrong local period: once with weight 1 in their own period, once with weight -1 in the other.';
