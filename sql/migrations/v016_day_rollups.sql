-- Counters by UTC day, of what maintenance has folded: reports over weeks read a row where they read 96 (docs/decisions/0028).

-- Waits for whoever writes or folds, and lets nobody do so until this is committed: what is added up below is all there is.
LOCK TABLE landfall.segment_rollup, landfall.rejection_rollup, landfall.latency_rollup IN SHARE MODE;

CREATE TABLE landfall.segment_day_rollup (
    app_id                     bigint NOT NULL,
    day                        timestamptz NOT NULL,
    campaign_id                bigint NOT NULL,
    segment_id                 bigint NOT NULL,
    attempted                  bigint NOT NULL,
    accepted                   bigint NOT NULL,
    rejected_token_dead        bigint NOT NULL,
    rejected_token_suspect     bigint NOT NULL,
    rejected_wrong_topic       bigint NOT NULL,
    rejected_wrong_environment bigint NOT NULL,
    rejected_payload_error     bigint NOT NULL,
    rejected_request_error     bigint NOT NULL,
    rejected_auth_error        bigint NOT NULL,
    rejected_throttled         bigint NOT NULL,
    rejected_provider_error    bigint NOT NULL,
    rejected_unknown           bigint NOT NULL,
    conflicting                bigint NOT NULL,
    reportable                 bigint NOT NULL,
    arrived                    bigint NOT NULL,
    arrived_reportable         bigint NOT NULL,
    confirmed                  bigint NOT NULL,
    presented                  bigint NOT NULL,
    clicked                    bigint NOT NULL,
    dismissed                  bigint NOT NULL,
    confirmed_unreported       bigint NOT NULL,
    responded_reportable       bigint NOT NULL,
    contradicted               bigint NOT NULL,
    unconfirmed_recalled       bigint NOT NULL,
    unconfirmed_not_reportable bigint NOT NULL,
    CONSTRAINT segment_day_rollup_pkey PRIMARY KEY (app_id, day, campaign_id, segment_id)
) WITH (fillfactor = 70);
COMMENT ON TABLE landfall.segment_day_rollup IS 'For each UTC day the sum of the rows of segment_rollup in slot -1, at every commit.';
COMMENT ON COLUMN landfall.segment_day_rollup.app_id IS 'The app.';
COMMENT ON COLUMN landfall.segment_day_rollup.day IS 'Midnight UTC that the day begins with.';
COMMENT ON COLUMN landfall.segment_day_rollup.campaign_id IS 'Campaign and variant.';
COMMENT ON COLUMN landfall.segment_day_rollup.segment_id IS 'What was known about push and target when it was sent.';

-- The measures mean what they mean in segment_rollup.
DO $$
DECLARE
    measure record;
BEGIN
    FOR measure IN
        SELECT attname, col_description(attrelid, attnum) AS meaning
          FROM pg_attribute
         WHERE attrelid = 'landfall.segment_rollup'::regclass AND attnum > 0 AND NOT attisdropped
           AND attname NOT IN ('app_id', 'quarter', 'campaign_id', 'segment_id', 'slot')
    LOOP
        EXECUTE format('COMMENT ON COLUMN landfall.segment_day_rollup.%I IS %L', measure.attname, measure.meaning);
    END LOOP;
END;
$$;

CREATE TABLE landfall.rejection_day_rollup (
    app_id      bigint NOT NULL,
    day         timestamptz NOT NULL,
    campaign_id bigint NOT NULL,
    segment_id  bigint NOT NULL,
    answer_id   bigint NOT NULL,
    rejected    bigint NOT NULL,
    CONSTRAINT rejection_day_rollup_pkey PRIMARY KEY (app_id, day, campaign_id, segment_id, answer_id)
) WITH (fillfactor = 70);
COMMENT ON TABLE landfall.rejection_day_rollup IS 'For each UTC day the sum of the rows of rejection_rollup in slot -1, at every commit.';
COMMENT ON COLUMN landfall.rejection_day_rollup.app_id IS 'The app.';
COMMENT ON COLUMN landfall.rejection_day_rollup.day IS 'Midnight UTC that the day begins with.';
COMMENT ON COLUMN landfall.rejection_day_rollup.campaign_id IS 'Campaign and variant.';
COMMENT ON COLUMN landfall.rejection_day_rollup.segment_id IS 'What was known about push and target when it was sent.';
COMMENT ON COLUMN landfall.rejection_day_rollup.answer_id IS 'As in rejection_rollup.';
COMMENT ON COLUMN landfall.rejection_day_rollup.rejected IS 'So many notifications.';

CREATE TABLE landfall.latency_day_rollup (
    app_id        bigint NOT NULL,
    day           timestamptz NOT NULL,
    campaign_id   bigint NOT NULL,
    stage         text NOT NULL,
    bucket        smallint NOT NULL,
    notifications bigint NOT NULL,
    CONSTRAINT latency_day_rollup_pkey PRIMARY KEY (app_id, day, campaign_id, stage, bucket)
) WITH (fillfactor = 70);
COMMENT ON TABLE landfall.latency_day_rollup IS 'For each UTC day the sum of the rows of latency_rollup in slot -1, at every commit.';
COMMENT ON COLUMN landfall.latency_day_rollup.app_id IS 'The app.';
COMMENT ON COLUMN landfall.latency_day_rollup.day IS 'Midnight UTC that the day begins with.';
COMMENT ON COLUMN landfall.latency_day_rollup.campaign_id IS 'Campaign and variant.';
COMMENT ON COLUMN landfall.latency_day_rollup.stage IS 'As in latency_rollup.';
COMMENT ON COLUMN landfall.latency_day_rollup.bucket IS 'How long, see latency_bucket.';
COMMENT ON COLUMN landfall.latency_day_rollup.notifications IS 'So many notifications.';

-- What has been folded already.
INSERT INTO landfall.segment_day_rollup (
    app_id, day, campaign_id, segment_id,
    attempted, accepted, rejected_token_dead, rejected_token_suspect, rejected_wrong_topic,
    rejected_wrong_environment, rejected_payload_error, rejected_request_error, rejected_auth_error,
    rejected_throttled, rejected_provider_error, rejected_unknown, conflicting, reportable, arrived,
    arrived_reportable, confirmed, presented, clicked, dismissed, confirmed_unreported, responded_reportable,
    contradicted, unconfirmed_recalled, unconfirmed_not_reportable
)
SELECT app_id, date_trunc('day', quarter, 'UTC'), campaign_id, segment_id,
       sum(attempted), sum(accepted), sum(rejected_token_dead), sum(rejected_token_suspect),
       sum(rejected_wrong_topic), sum(rejected_wrong_environment), sum(rejected_payload_error),
       sum(rejected_request_error), sum(rejected_auth_error), sum(rejected_throttled), sum(rejected_provider_error),
       sum(rejected_unknown), sum(conflicting), sum(reportable), sum(arrived), sum(arrived_reportable),
       sum(confirmed), sum(presented), sum(clicked), sum(dismissed), sum(confirmed_unreported),
       sum(responded_reportable), sum(contradicted), sum(unconfirmed_recalled), sum(unconfirmed_not_reportable)
  FROM landfall.segment_rollup
 WHERE slot = -1
 GROUP BY 1, 2, 3, 4;

INSERT INTO landfall.rejection_day_rollup (app_id, day, campaign_id, segment_id, answer_id, rejected)
SELECT app_id, date_trunc('day', quarter, 'UTC'), campaign_id, segment_id, answer_id, sum(rejected)
  FROM landfall.rejection_rollup
 WHERE slot = -1
 GROUP BY 1, 2, 3, 4, 5;

INSERT INTO landfall.latency_day_rollup (app_id, day, campaign_id, stage, bucket, notifications)
SELECT app_id, date_trunc('day', quarter, 'UTC'), campaign_id, stage, bucket, sum(notifications)
  FROM landfall.latency_rollup
 WHERE slot = -1
 GROUP BY 1, 2, 3, 4, 5;

-- The functions below are queries that reports are made of; the planner puts their text in place of the call.

CREATE FUNCTION landfall.report_period(instant timestamptz, time_zone text, unit text) RETURNS timestamp
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN $3 IS NOT NULL THEN date_trunc($3, $1 AT TIME ZONE $2) END
$$;
COMMENT ON FUNCTION landfall.report_period IS 'The local hour, day, week or month that an instant lies in; null without a unit.';

CREATE FUNCTION landfall.report_utc_offset(instant timestamptz, time_zone text, unit text) RETURNS integer
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN $3 = 'hour'
                THEN extract(EPOCH FROM ($1 AT TIME ZONE $2) - ($1 AT TIME ZONE 'UTC'))::integer / 60 END
$$;
COMMENT ON FUNCTION landfall.report_utc_offset IS 'Minutes that local time is ahead of UTC, by hour only: in the hour that autumn repeats nothing else tells the two apart.';

CREATE FUNCTION landfall.report_days(from_quarter timestamptz, to_quarter timestamptz, time_zone text, unit text)
RETURNS TABLE (day timestamptz, period timestamp)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT day, landfall.report_period(day + interval '12 hours', $3, $4)
      FROM generate_series(date_bin('24 hours', $1 + interval '24 hours' - interval '15 minutes', '2000-01-01 00:00:00+00'),
                           date_bin('24 hours', $2, '2000-01-01 00:00:00+00') - interval '24 hours',
                           interval '24 hours') AS day
     WHERE $4 IS DISTINCT FROM 'hour'
$$;
COMMENT ON FUNCTION landfall.report_days IS 'The UTC days that lie in a window as a whole, each with the local period that most of it lies in. By hour: none.';

CREATE FUNCTION landfall.report_quarters(from_quarter timestamptz, to_quarter timestamptz, time_zone text, unit text)
RETURNS TABLE (quarter timestamptz, period timestamp, utc_offset_minutes integer, weight integer)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    WITH asked AS (
        SELECT quarter, landfall.report_period(quarter, $3, $4) AS period,
               landfall.report_utc_offset(quarter, $3, $4) AS utc_offset_minutes,
               day.day IS NOT NULL AS is_in_day, day.period AS period_of_day
          FROM generate_series($1, $2 - interval '15 minutes', interval '15 minutes') AS quarter
          LEFT JOIN landfall.report_days($1, $2, $3, $4) AS day
                 ON day.day = date_bin('24 hours', quarter, '2000-01-01 00:00:00+00')
    )
    SELECT quarter, period, utc_offset_minutes, 1
      FROM asked
     WHERE NOT is_in_day OR period IS DISTINCT FROM period_of_day
    UNION ALL
    SELECT quarter, period_of_day, utc_offset_minutes, -1
      FROM asked
     WHERE is_in_day AND period IS DISTINCT FROM period_of_day
$$;
COMMENT ON FUNCTION landfall.report_quarters IS 'The quarter hours that report_days leaves out, and those that it puts into the wrong local period: these once to be added to their own (weight 1), once to be taken off the other (-1).';

CREATE FUNCTION landfall.segment_trait(segment landfall.segment, trait text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE $2
               WHEN 'provider' THEN $1.provider WHEN 'environment' THEN $1.environment
               WHEN 'topic' THEN $1.topic WHEN 'push_type' THEN $1.push_type
               WHEN 'priority' THEN $1.priority WHEN 'platform' THEN $1.platform
               WHEN 'app_version' THEN $1.app_version WHEN 'os_version' THEN $1.os_version
               WHEN 'language' THEN $1.language WHEN 'permission' THEN $1.permission
           END
$$;
COMMENT ON FUNCTION landfall.segment_trait IS 'What a segment says about what a report is broken down by; null without a trait.';

CREATE FUNCTION landfall.segment_counters(
    app_id bigint, from_quarter timestamptz, to_quarter timestamptz, time_zone text, unit text
)
RETURNS TABLE (period timestamp, utc_offset_minutes integer, campaign_id bigint, segment_id bigint,
               attempted bigint, accepted bigint, rejected_token_dead bigint, rejected_token_suspect bigint,
               rejected_wrong_topic bigint, rejected_wrong_environment bigint, rejected_payload_error bigint,
               rejected_request_error bigint, rejected_auth_error bigint, rejected_throttled bigint,
               rejected_provider_error bigint, rejected_unknown bigint, conflicting bigint, reportable bigint,
               arrived bigint, arrived_reportable bigint, confirmed bigint, presented bigint, clicked bigint,
               dismissed bigint, confirmed_unreported bigint, responded_reportable bigint, contradicted bigint,
               unconfirmed_recalled bigint, unconfirmed_not_reportable bigint)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT whole.period, NULL::integer, folded.*
      FROM landfall.report_days($2, $3, $4, $5) AS whole
     CROSS JOIN LATERAL (
        SELECT campaign_id, segment_id,
               attempted, accepted, rejected_token_dead, rejected_token_suspect, rejected_wrong_topic,
               rejected_wrong_environment, rejected_payload_error, rejected_request_error, rejected_auth_error,
               rejected_throttled, rejected_provider_error, rejected_unknown, conflicting, reportable, arrived,
               arrived_reportable, confirmed, presented, clicked, dismissed, confirmed_unreported,
               responded_reportable, contradicted, unconfirmed_recalled, unconfirmed_not_reportable
          FROM landfall.segment_day_rollup
         WHERE app_id = $1 AND day = whole.day
        OFFSET 0
     ) AS folded
    UNION ALL
    SELECT edge.period, edge.utc_offset_minutes, folded.*
      FROM landfall.report_quarters($2, $3, $4, $5) AS edge
     CROSS JOIN LATERAL (
        SELECT campaign_id, segment_id,
               edge.weight * attempted, edge.weight * accepted, edge.weight * rejected_token_dead,
               edge.weight * rejected_token_suspect, edge.weight * rejected_wrong_topic,
               edge.weight * rejected_wrong_environment, edge.weight * rejected_payload_error,
               edge.weight * rejected_request_error, edge.weight * rejected_auth_error,
               edge.weight * rejected_throttled, edge.weight * rejected_provider_error,
               edge.weight * rejected_unknown, edge.weight * conflicting, edge.weight * reportable,
               edge.weight * arrived, edge.weight * arrived_reportable, edge.weight * confirmed,
               edge.weight * presented, edge.weight * clicked, edge.weight * dismissed,
               edge.weight * confirmed_unreported, edge.weight * responded_reportable, edge.weight * contradicted,
               edge.weight * unconfirmed_recalled, edge.weight * unconfirmed_not_reportable
          FROM landfall.segment_rollup
         WHERE app_id = $1 AND quarter = edge.quarter AND slot = -1
        OFFSET 0
     ) AS folded
    UNION ALL
    SELECT landfall.report_period(quarter, $4, $5), landfall.report_utc_offset(quarter, $4, $5),
           campaign_id, segment_id,
           attempted, accepted, rejected_token_dead, rejected_token_suspect, rejected_wrong_topic,
           rejected_wrong_environment, rejected_payload_error, rejected_request_error, rejected_auth_error,
           rejected_throttled, rejected_provider_error, rejected_unknown, conflicting, reportable, arrived,
           arrived_reportable, confirmed, presented, clicked, dismissed, confirmed_unreported, responded_reportable,
           contradicted, unconfirmed_recalled, unconfirmed_not_reportable
      FROM landfall.segment_rollup
     WHERE app_id = $1 AND quarter >= $2 AND quarter < $3 AND slot >= 0
$$;
COMMENT ON FUNCTION landfall.segment_counters IS 'What segment_rollup says of a window of whole quarter hours, by local period, campaign and segment. To be summed up: rows below zero take off what lies in another period, and what sums up to nothing is not there.';

CREATE FUNCTION landfall.rejection_counters(
    app_id bigint, from_quarter timestamptz, to_quarter timestamptz, time_zone text, unit text
)
RETURNS TABLE (period timestamp, utc_offset_minutes integer, campaign_id bigint, segment_id bigint, answer_id bigint,
               rejected bigint)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT whole.period, NULL::integer, folded.*
      FROM landfall.report_days($2, $3, $4, $5) AS whole
     CROSS JOIN LATERAL (
        SELECT campaign_id, segment_id, answer_id,
               rejected
          FROM landfall.rejection_day_rollup
         WHERE app_id = $1 AND day = whole.day
        OFFSET 0
     ) AS folded
    UNION ALL
    SELECT edge.period, edge.utc_offset_minutes, folded.*
      FROM landfall.report_quarters($2, $3, $4, $5) AS edge
     CROSS JOIN LATERAL (
        SELECT campaign_id, segment_id, answer_id,
               edge.weight * rejected
          FROM landfall.rejection_rollup
         WHERE app_id = $1 AND quarter = edge.quarter AND slot = -1
        OFFSET 0
     ) AS folded
    UNION ALL
    SELECT landfall.report_period(quarter, $4, $5), landfall.report_utc_offset(quarter, $4, $5),
           campaign_id, segment_id, answer_id,
           rejected
      FROM landfall.rejection_rollup
     WHERE app_id = $1 AND quarter >= $2 AND quarter < $3 AND slot >= 0
$$;
COMMENT ON FUNCTION landfall.rejection_counters IS 'What rejection_rollup says of a window of whole quarter hours, by local period, campaign, segment and answer. To be summed up: rows below zero take off what lies in another period, and what sums up to nothing is not there.';

CREATE FUNCTION landfall.latency_counters(
    app_id bigint, from_quarter timestamptz, to_quarter timestamptz, time_zone text, unit text
)
RETURNS TABLE (period timestamp, utc_offset_minutes integer, campaign_id bigint, stage text, bucket smallint,
               notifications bigint)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT whole.period, NULL::integer, folded.*
      FROM landfall.report_days($2, $3, $4, $5) AS whole
     CROSS JOIN LATERAL (
        SELECT campaign_id, stage, bucket,
               notifications
          FROM landfall.latency_day_rollup
         WHERE app_id = $1 AND day = whole.day
        OFFSET 0
     ) AS folded
    UNION ALL
    SELECT edge.period, edge.utc_offset_minutes, folded.*
      FROM landfall.report_quarters($2, $3, $4, $5) AS edge
     CROSS JOIN LATERAL (
        SELECT campaign_id, stage, bucket,
               edge.weight * notifications
          FROM landfall.latency_rollup
         WHERE app_id = $1 AND quarter = edge.quarter AND slot = -1
        OFFSET 0
     ) AS folded
    UNION ALL
    SELECT landfall.report_period(quarter, $4, $5), landfall.report_utc_offset(quarter, $4, $5),
           campaign_id, stage, bucket,
           notifications
      FROM landfall.latency_rollup
     WHERE app_id = $1 AND quarter >= $2 AND quarter < $3 AND slot >= 0
$$;
COMMENT ON FUNCTION landfall.latency_counters IS 'What latency_rollup says of a window of whole quarter hours, by local period, campaign, stage and bucket. To be summed up: rows below zero take off what lies in another period, and what sums up to nothing is not there.';
