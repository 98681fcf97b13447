-- What the reports about rejections, latency and extensions are read from (docs/decisions/0022).

-- Waits for whoever writes, and lets nobody write until this is committed: what is counted below is all there is.
ALTER TABLE landfall.delivery ADD COLUMN previous_answer_id bigint;
COMMENT ON COLUMN landfall.delivery.previous_answer_id IS 'The answer that counted before the last change, when that was a rejection: what it added to rejection_rollup is taken off.';
COMMENT ON COLUMN landfall.delivery.arrived_after_ms IS 'Milliseconds from sent_at to the first reported arrival, negative when clocks disagree; stands once an arrival is recorded.';

CREATE TABLE landfall.latency_bucket (
    bucket  smallint NOT NULL,
    from_ms bigint NOT NULL,
    to_ms   bigint,
    CONSTRAINT latency_bucket_pkey PRIMARY KEY (bucket)
);
COMMENT ON TABLE landfall.latency_bucket IS 'Spans of time by which latencies are counted, each at most a tenth longer than it begins: the geometric mean of its ends is at most 4.9 % off.';
COMMENT ON COLUMN landfall.latency_bucket.bucket IS 'From the shortest to the longest; 0 holds what took no time at all or less, because clocks disagree.';
COMMENT ON COLUMN landfall.latency_bucket.from_ms IS 'Milliseconds it begins with.';
COMMENT ON COLUMN landfall.latency_bucket.to_ms IS 'Milliseconds it ends before; null for the last one, which has no end.';

WITH RECURSIVE bound (bucket, from_ms) AS (
    SELECT 1, 1::bigint
    UNION ALL
    -- All up to 31 days.
    SELECT bucket + 1, from_ms * 11 / 10 + 1 FROM bound WHERE from_ms < 31 * 86400000::bigint
)
INSERT INTO landfall.latency_bucket (bucket, from_ms, to_ms)
SELECT 0, 0, 1
UNION ALL
SELECT bucket, from_ms, lead(from_ms) OVER (ORDER BY bucket) FROM bound;

-- Made from the table, so that it cannot say anything else.
DO $$
BEGIN
    EXECUTE format(
        'CREATE FUNCTION landfall.latency_bucket_of(ms bigint) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE '
        'RETURN width_bucket(ms, %L::bigint[])::smallint',
        (SELECT array_agg(from_ms ORDER BY bucket) FROM landfall.latency_bucket WHERE bucket > 0));
END;
$$;
COMMENT ON FUNCTION landfall.latency_bucket_of IS 'The bucket of landfall.latency_bucket that holds so many milliseconds; null for null.';

CREATE TABLE landfall.rejection_rollup (
    app_id      bigint NOT NULL,
    quarter     timestamptz NOT NULL,
    campaign_id bigint NOT NULL,
    segment_id  bigint NOT NULL,
    answer_id   bigint NOT NULL,
    slot        smallint NOT NULL,
    rejected    bigint NOT NULL,
    CONSTRAINT rejection_rollup_pkey PRIMARY KEY (app_id, quarter, campaign_id, segment_id, answer_id, slot)
) WITH (fillfactor = 70);
CREATE INDEX rejection_rollup_unfolded_idx ON landfall.rejection_rollup (quarter) WHERE slot >= 0;
COMMENT ON TABLE landfall.rejection_rollup IS 'Notifications that were rejected and never accepted, by the answer that counts. Sums to rejected of segment_rollup, at every commit.';
COMMENT ON COLUMN landfall.rejection_rollup.app_id IS 'The app.';
COMMENT ON COLUMN landfall.rejection_rollup.quarter IS 'Start of the quarter hour of sent_at.';
COMMENT ON COLUMN landfall.rejection_rollup.campaign_id IS 'Campaign and variant.';
COMMENT ON COLUMN landfall.rejection_rollup.segment_id IS 'What was known about push and target when it was sent.';
COMMENT ON COLUMN landfall.rejection_rollup.answer_id IS 'The provider''s words, see provider_answer. Below 0: words that were not kept, of the class with this rank (see delivery.answer_rank).';
COMMENT ON COLUMN landfall.rejection_rollup.slot IS 'The writer''s number; -1: folded by maintenance.';
COMMENT ON COLUMN landfall.rejection_rollup.rejected IS 'So many notifications.';

CREATE TABLE landfall.latency_rollup (
    app_id        bigint NOT NULL,
    quarter       timestamptz NOT NULL,
    campaign_id   bigint NOT NULL,
    stage         text NOT NULL,
    bucket        smallint NOT NULL,
    slot          smallint NOT NULL,
    notifications bigint NOT NULL,
    CONSTRAINT latency_rollup_pkey PRIMARY KEY (app_id, quarter, campaign_id, stage, bucket, slot),
    CONSTRAINT latency_rollup_stage_check CHECK (stage IN ('arrival', 'click'))
) WITH (fillfactor = 70);
CREATE INDEX latency_rollup_unfolded_idx ON landfall.latency_rollup (quarter) WHERE slot >= 0;
COMMENT ON TABLE landfall.latency_rollup IS 'How long accepted notifications took, as far as the times are known. Exact at every commit.';
COMMENT ON COLUMN landfall.latency_rollup.app_id IS 'The app.';
COMMENT ON COLUMN landfall.latency_rollup.quarter IS 'Start of the quarter hour of sent_at.';
COMMENT ON COLUMN landfall.latency_rollup.campaign_id IS 'Campaign and variant.';
COMMENT ON COLUMN landfall.latency_rollup.stage IS 'arrival: from sending to the extension''s report; click: from that to the click.';
COMMENT ON COLUMN landfall.latency_rollup.bucket IS 'How long, see latency_bucket.';
COMMENT ON COLUMN landfall.latency_rollup.slot IS 'The writer''s number; -1: folded by maintenance.';
COMMENT ON COLUMN landfall.latency_rollup.notifications IS 'So many notifications.';

CREATE TABLE landfall.reporting_version (
    app_id            bigint NOT NULL,
    platform          text NOT NULL,
    app_version       text NOT NULL,
    first_reported_at timestamptz NOT NULL,
    CONSTRAINT reporting_version_pkey PRIMARY KEY (app_id, platform, app_version)
);
COMMENT ON TABLE landfall.reporting_version IS 'Versions of apps whose notification service extension has ever reported an arrival. A version that is not here has probably none.';
COMMENT ON COLUMN landfall.reporting_version.app_id IS 'The app.';
COMMENT ON COLUMN landfall.reporting_version.platform IS 'As in segment; empty when unknown.';
COMMENT ON COLUMN landfall.reporting_version.app_version IS 'As in segment; empty when unknown.';
COMMENT ON COLUMN landfall.reporting_version.first_reported_at IS 'The quarter hour in which a notification was sent whose arrival was among the first that were recorded.';

CREATE TYPE landfall.rejection_change AS (
    app_id      bigint,
    quarter     timestamptz,
    campaign_id bigint,
    segment_id  bigint,
    answer_id   bigint,
    rejected    bigint
);
COMMENT ON TYPE landfall.rejection_change IS 'What a batch of events adds to a row of rejection_rollup.';

CREATE TYPE landfall.latency_change AS (
    app_id        bigint,
    quarter       timestamptz,
    campaign_id   bigint,
    stage         text,
    bucket        smallint,
    notifications bigint
);
COMMENT ON TYPE landfall.latency_change IS 'What a batch of events adds to a row of latency_rollup.';

-- What is there already. Bits of delivery.state: 1 attempted, 2 accepted, 8 arrived, 32 clicked.

INSERT INTO landfall.rejection_rollup (app_id, quarter, campaign_id, segment_id, answer_id, slot, rejected)
SELECT app_id, date_bin('15 minutes', sent_at, '2000-01-01 00:00:00+00'), campaign_id, segment_id, answer_id, -1, count(*)
FROM landfall.delivery
WHERE state & 3 = 1
GROUP BY 1, 2, 3, 4, 5;

-- Of days whose notifications were dropped, the classes are all that is left.
INSERT INTO landfall.rejection_rollup (app_id, quarter, campaign_id, segment_id, answer_id, slot, rejected)
SELECT app_id, quarter, campaign_id, segment_id, -class.rank, -1, sum(class.rejected)
FROM landfall.segment_rollup
CROSS JOIN LATERAL (
    VALUES (1, rejected_token_dead), (2, rejected_token_suspect), (3, rejected_wrong_topic),
           (4, rejected_wrong_environment), (5, rejected_payload_error), (6, rejected_request_error),
           (7, rejected_auth_error), (8, rejected_throttled), (9, rejected_provider_error), (10, rejected_unknown)
) AS class (rank, rejected)
WHERE quarter < (SELECT kept_from FROM landfall.retention)
GROUP BY 1, 2, 3, 4, 5
HAVING sum(class.rejected) <> 0;

INSERT INTO landfall.latency_rollup (app_id, quarter, campaign_id, stage, bucket, slot, notifications)
SELECT app_id, date_bin('15 minutes', sent_at, '2000-01-01 00:00:00+00'), campaign_id, step.stage,
       landfall.latency_bucket_of(step.ms), -1, count(*)
FROM landfall.delivery
CROSS JOIN LATERAL (
    VALUES ('arrival', 11, arrived_after_ms), ('click', 43, clicked_after_ms - arrived_after_ms)
) AS step (stage, bits, ms)
WHERE state & step.bits = step.bits AND step.ms IS NOT NULL
GROUP BY 1, 2, 3, 4, 5;

INSERT INTO landfall.reporting_version (app_id, platform, app_version, first_reported_at)
SELECT segment.app_id, segment.platform, segment.app_version, min(rollup.quarter)
FROM (SELECT app_id, segment_id, min(quarter) AS quarter
      FROM landfall.segment_rollup
      GROUP BY app_id, segment_id
      HAVING sum(arrived_reportable) > 0) AS rollup
JOIN landfall.segment ON segment.app_id = rollup.app_id AND segment.segment_id = rollup.segment_id
GROUP BY 1, 2, 3;
