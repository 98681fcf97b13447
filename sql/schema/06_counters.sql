-- What reports read: sums over notifications, equal to the rows at every commit.

CREATE TABLE landfall.delivery_rollup (
    app_id                     bigint NOT NULL,
    quarter                    timestamptz NOT NULL,
    campaign_id                bigint NOT NULL,
    slot                       smallint NOT NULL,
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
    CONSTRAINT delivery_rollup_pkey PRIMARY KEY (app_id, quarter, campaign_id, slot)
) WITH (fillfactor = 70);
-- No plan asks how measures are distributed, so ANALYZE need not sort samples of them.
ALTER TABLE landfall.delivery_rollup
    ALTER COLUMN attempted SET STATISTICS 0,
    ALTER COLUMN accepted SET STATISTICS 0,
    ALTER COLUMN rejected_token_dead SET STATISTICS 0,
    ALTER COLUMN rejected_token_suspect SET STATISTICS 0,
    ALTER COLUMN rejected_wrong_topic SET STATISTICS 0,
    ALTER COLUMN rejected_wrong_environment SET STATISTICS 0,
    ALTER COLUMN rejected_payload_error SET STATISTICS 0,
    ALTER COLUMN rejected_request_error SET STATISTICS 0,
    ALTER COLUMN rejected_auth_error SET STATISTICS 0,
    ALTER COLUMN rejected_throttled SET STATISTICS 0,
    ALTER COLUMN rejected_provider_error SET STATISTICS 0,
    ALTER COLUMN rejected_unknown SET STATISTICS 0,
    ALTER COLUMN conflicting SET STATISTICS 0,
    ALTER COLUMN reportable SET STATISTICS 0,
    ALTER COLUMN arrived SET STATISTICS 0,
    ALTER COLUMN arrived_reportable SET STATISTICS 0,
    ALTER COLUMN confirmed SET STATISTICS 0,
    ALTER COLUMN presented SET STATISTICS 0,
    ALTER COLUMN clicked SET STATISTICS 0,
    ALTER COLUMN dismissed SET STATISTICS 0,
    ALTER COLUMN confirmed_unreported SET STATISTICS 0,
    ALTER COLUMN responded_reportable SET STATISTICS 0,
    ALTER COLUMN contradicted SET STATISTICS 0,
    ALTER COLUMN unconfirmed_recalled SET STATISTICS 0,
    ALTER COLUMN unconfirmed_not_reportable SET STATISTICS 0;
COMMENT ON TABLE landfall.delivery_rollup IS 'Headline counters: for each quarter hour of sent_at and campaign, the sum of each measure over its notifications. Exact at every commit.';
COMMENT ON COLUMN landfall.delivery_rollup.app_id IS 'The app.';
COMMENT ON COLUMN landfall.delivery_rollup.quarter IS 'Start of the quarter hour of sent_at.';
COMMENT ON COLUMN landfall.delivery_rollup.campaign_id IS 'Campaign and variant.';
COMMENT ON COLUMN landfall.delivery_rollup.slot IS 'The writer''s number, so that concurrent writers do not wait for each other; -1: folded by maintenance. Reports sum over slots.';
COMMENT ON COLUMN landfall.delivery_rollup.attempted IS 'A provider answer, or an explicit "no response", is recorded.';
COMMENT ON COLUMN landfall.delivery_rollup.accepted IS 'The provider answered 2xx. Accepted says nothing about arrival.';
COMMENT ON COLUMN landfall.delivery_rollup.rejected_token_dead IS 'Rejected, never accepted: the token is dead.';
COMMENT ON COLUMN landfall.delivery_rollup.rejected_token_suspect IS 'Rejected, never accepted: the token is malformed or of another environment.';
COMMENT ON COLUMN landfall.delivery_rollup.rejected_wrong_topic IS 'Rejected, never accepted: token and topic do not belong together.';
COMMENT ON COLUMN landfall.delivery_rollup.rejected_wrong_environment IS 'Rejected, never accepted: credentials of the other environment.';
COMMENT ON COLUMN landfall.delivery_rollup.rejected_payload_error IS 'Rejected, never accepted: the payload.';
COMMENT ON COLUMN landfall.delivery_rollup.rejected_request_error IS 'Rejected, never accepted: the request.';
COMMENT ON COLUMN landfall.delivery_rollup.rejected_auth_error IS 'Rejected, never accepted: the credentials.';
COMMENT ON COLUMN landfall.delivery_rollup.rejected_throttled IS 'Rejected, never accepted: too many.';
COMMENT ON COLUMN landfall.delivery_rollup.rejected_provider_error IS 'Rejected, never accepted: the provider''s own trouble.';
COMMENT ON COLUMN landfall.delivery_rollup.rejected_unknown IS 'Rejected, never accepted: no answer came, or one that no list knows.';
COMMENT ON COLUMN landfall.delivery_rollup.conflicting IS 'Refused for more than one class of reason, never accepted.';
COMMENT ON COLUMN landfall.delivery_rollup.reportable IS 'Accepted, and its extension could run.';
COMMENT ON COLUMN landfall.delivery_rollup.arrived IS 'Accepted, and the extension reported it.';
COMMENT ON COLUMN landfall.delivery_rollup.arrived_reportable IS 'Arrived and reportable.';
COMMENT ON COLUMN landfall.delivery_rollup.confirmed IS 'Accepted, and arrived, presented, clicked or dismissed.';
COMMENT ON COLUMN landfall.delivery_rollup.presented IS 'Accepted, and handed to the app in front.';
COMMENT ON COLUMN landfall.delivery_rollup.clicked IS 'Accepted, and tapped or acted on.';
COMMENT ON COLUMN landfall.delivery_rollup.dismissed IS 'Accepted, and explicitly dismissed.';
COMMENT ON COLUMN landfall.delivery_rollup.confirmed_unreported IS 'Confirmed and reportable, but not arrived: a lost receipt.';
COMMENT ON COLUMN landfall.delivery_rollup.responded_reportable IS 'Reportable, and presented, clicked or dismissed.';
COMMENT ON COLUMN landfall.delivery_rollup.contradicted IS 'The device had it although no acceptance is on record.';
COMMENT ON COLUMN landfall.delivery_rollup.unconfirmed_recalled IS 'Accepted, not confirmed, withdrawn.';
COMMENT ON COLUMN landfall.delivery_rollup.unconfirmed_not_reportable IS 'Accepted, not confirmed, not withdrawn, not reportable.';
-- What maintenance has not folded yet: little, because it folds everything older than two days.
CREATE INDEX delivery_rollup_unfolded_idx ON landfall.delivery_rollup (quarter) WHERE (slot >= 0);

CREATE TABLE landfall.segment_rollup (
    app_id                     bigint NOT NULL,
    quarter                    timestamptz NOT NULL,
    campaign_id                bigint NOT NULL,
    slot                       smallint NOT NULL,
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
    segment_id                 bigint NOT NULL,
    CONSTRAINT segment_rollup_pkey PRIMARY KEY (app_id, quarter, campaign_id, segment_id, slot)
) WITH (fillfactor = 70);
ALTER TABLE landfall.segment_rollup
    ALTER COLUMN attempted SET STATISTICS 0,
    ALTER COLUMN accepted SET STATISTICS 0,
    ALTER COLUMN rejected_token_dead SET STATISTICS 0,
    ALTER COLUMN rejected_token_suspect SET STATISTICS 0,
    ALTER COLUMN rejected_wrong_topic SET STATISTICS 0,
    ALTER COLUMN rejected_wrong_environment SET STATISTICS 0,
    ALTER COLUMN rejected_payload_error SET STATISTICS 0,
    ALTER COLUMN rejected_request_error SET STATISTICS 0,
    ALTER COLUMN rejected_auth_error SET STATISTICS 0,
    ALTER COLUMN rejected_throttled SET STATISTICS 0,
    ALTER COLUMN rejected_provider_error SET STATISTICS 0,
    ALTER COLUMN rejected_unknown SET STATISTICS 0,
    ALTER COLUMN conflicting SET STATISTICS 0,
    ALTER COLUMN reportable SET STATISTICS 0,
    ALTER COLUMN arrived SET STATISTICS 0,
    ALTER COLUMN arrived_reportable SET STATISTICS 0,
    ALTER COLUMN confirmed SET STATISTICS 0,
    ALTER COLUMN presented SET STATISTICS 0,
    ALTER COLUMN clicked SET STATISTICS 0,
    ALTER COLUMN dismissed SET STATISTICS 0,
    ALTER COLUMN confirmed_unreported SET STATISTICS 0,
    ALTER COLUMN responded_reportable SET STATISTICS 0,
    ALTER COLUMN contradicted SET STATISTICS 0,
    ALTER COLUMN unconfirmed_recalled SET STATISTICS 0,
    ALTER COLUMN unconfirmed_not_reportable SET STATISTICS 0;
COMMENT ON TABLE landfall.segment_rollup IS 'The counters of delivery_rollup split by segment, for breakdowns.';
COMMENT ON COLUMN landfall.segment_rollup.app_id IS 'The app.';
COMMENT ON COLUMN landfall.segment_rollup.quarter IS 'Start of the quarter hour of sent_at.';
COMMENT ON COLUMN landfall.segment_rollup.campaign_id IS 'Campaign and variant.';
COMMENT ON COLUMN landfall.segment_rollup.slot IS 'The writer''s number; -1: folded by maintenance.';
COMMENT ON COLUMN landfall.segment_rollup.attempted IS 'A provider answer, or an explicit "no response", is recorded.';
COMMENT ON COLUMN landfall.segment_rollup.accepted IS 'The provider answered 2xx. Accepted says nothing about arrival.';
COMMENT ON COLUMN landfall.segment_rollup.rejected_token_dead IS 'Rejected, never accepted: the token is dead.';
COMMENT ON COLUMN landfall.segment_rollup.rejected_token_suspect IS 'Rejected, never accepted: the token is malformed or of another environment.';
COMMENT ON COLUMN landfall.segment_rollup.rejected_wrong_topic IS 'Rejected, never accepted: token and topic do not belong together.';
COMMENT ON COLUMN landfall.segment_rollup.rejected_wrong_environment IS 'Rejected, never accepted: credentials of the other environment.';
COMMENT ON COLUMN landfall.segment_rollup.rejected_payload_error IS 'Rejected, never accepted: the payload.';
COMMENT ON COLUMN landfall.segment_rollup.rejected_request_error IS 'Rejected, never accepted: the request.';
COMMENT ON COLUMN landfall.segment_rollup.rejected_auth_error IS 'Rejected, never accepted: the credentials.';
COMMENT ON COLUMN landfall.segment_rollup.rejected_throttled IS 'Rejected, never accepted: too many.';
COMMENT ON COLUMN landfall.segment_rollup.rejected_provider_error IS 'Rejected, never accepted: the provider''s own trouble.';
COMMENT ON COLUMN landfall.segment_rollup.rejected_unknown IS 'Rejected, never accepted: no answer came, or one that no list knows.';
COMMENT ON COLUMN landfall.segment_rollup.conflicting IS 'Refused for more than one class of reason, never accepted.';
COMMENT ON COLUMN landfall.segment_rollup.reportable IS 'Accepted, and its extension could run.';
COMMENT ON COLUMN landfall.segment_rollup.arrived IS 'Accepted, and the extension reported it.';
COMMENT ON COLUMN landfall.segment_rollup.arrived_reportable IS 'Arrived and reportable.';
COMMENT ON COLUMN landfall.segment_rollup.confirmed IS 'Accepted, and arrived, presented, clicked or dismissed.';
COMMENT ON COLUMN landfall.segment_rollup.presented IS 'Accepted, and handed to the app in front.';
COMMENT ON COLUMN landfall.segment_rollup.clicked IS 'Accepted, and tapped or acted on.';
COMMENT ON COLUMN landfall.segment_rollup.dismissed IS 'Accepted, and explicitly dismissed.';
COMMENT ON COLUMN landfall.segment_rollup.confirmed_unreported IS 'Confirmed and reportable, but not arrived: a lost receipt.';
COMMENT ON COLUMN landfall.segment_rollup.responded_reportable IS 'Reportable, and presented, clicked or dismissed.';
COMMENT ON COLUMN landfall.segment_rollup.contradicted IS 'The device had it although no acceptance is on record.';
COMMENT ON COLUMN landfall.segment_rollup.unconfirmed_recalled IS 'Accepted, not confirmed, withdrawn.';
COMMENT ON COLUMN landfall.segment_rollup.unconfirmed_not_reportable IS 'Accepted, not confirmed, not withdrawn, not reportable.';
COMMENT ON COLUMN landfall.segment_rollup.segment_id IS 'What was known about push and target when it was sent.';
CREATE INDEX segment_rollup_unfolded_idx ON landfall.segment_rollup (quarter) WHERE (slot >= 0);

-- Counters by UTC day, of what maintenance has folded: reports over weeks read one row instead of 96 (docs/decisions/0028).
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
ALTER TABLE landfall.segment_day_rollup
    ALTER COLUMN attempted SET STATISTICS 0,
    ALTER COLUMN accepted SET STATISTICS 0,
    ALTER COLUMN rejected_token_dead SET STATISTICS 0,
    ALTER COLUMN rejected_token_suspect SET STATISTICS 0,
    ALTER COLUMN rejected_wrong_topic SET STATISTICS 0,
    ALTER COLUMN rejected_wrong_environment SET STATISTICS 0,
    ALTER COLUMN rejected_payload_error SET STATISTICS 0,
    ALTER COLUMN rejected_request_error SET STATISTICS 0,
    ALTER COLUMN rejected_auth_error SET STATISTICS 0,
    ALTER COLUMN rejected_throttled SET STATISTICS 0,
    ALTER COLUMN rejected_provider_error SET STATISTICS 0,
    ALTER COLUMN rejected_unknown SET STATISTICS 0,
    ALTER COLUMN conflicting SET STATISTICS 0,
    ALTER COLUMN reportable SET STATISTICS 0,
    ALTER COLUMN arrived SET STATISTICS 0,
    ALTER COLUMN arrived_reportable SET STATISTICS 0,
    ALTER COLUMN confirmed SET STATISTICS 0,
    ALTER COLUMN presented SET STATISTICS 0,
    ALTER COLUMN clicked SET STATISTICS 0,
    ALTER COLUMN dismissed SET STATISTICS 0,
    ALTER COLUMN confirmed_unreported SET STATISTICS 0,
    ALTER COLUMN responded_reportable SET STATISTICS 0,
    ALTER COLUMN contradicted SET STATISTICS 0,
    ALTER COLUMN unconfirmed_recalled SET STATISTICS 0,
    ALTER COLUMN unconfirmed_not_reportable SET STATISTICS 0;
COMMENT ON TABLE landfall.segment_day_rollup IS 'For each UTC day the sum of the rows of segment_rollup in slot -1, at every commit.';
COMMENT ON COLUMN landfall.segment_day_rollup.app_id IS 'The app.';
COMMENT ON COLUMN landfall.segment_day_rollup.day IS 'Midnight UTC that the day begins with.';
COMMENT ON COLUMN landfall.segment_day_rollup.campaign_id IS 'Campaign and variant.';
COMMENT ON COLUMN landfall.segment_day_rollup.segment_id IS 'What was known about push and target when it was sent.';
COMMENT ON COLUMN landfall.segment_day_rollup.attempted IS 'A provider answer, or an explicit "no response", is recorded.';
COMMENT ON COLUMN landfall.segment_day_rollup.accepted IS 'The provider answered 2xx. Accepted says nothing about arrival.';
COMMENT ON COLUMN landfall.segment_day_rollup.rejected_token_dead IS 'Rejected, never accepted: the token is dead.';
COMMENT ON COLUMN landfall.segment_day_rollup.rejected_token_suspect IS 'Rejected, never accepted: the token is malformed or of another environment.';
COMMENT ON COLUMN landfall.segment_day_rollup.rejected_wrong_topic IS 'Rejected, never accepted: token and topic do not belong together.';
COMMENT ON COLUMN landfall.segment_day_rollup.rejected_wrong_environment IS 'Rejected, never accepted: credentials of the other environment.';
COMMENT ON COLUMN landfall.segment_day_rollup.rejected_payload_error IS 'Rejected, never accepted: the payload.';
COMMENT ON COLUMN landfall.segment_day_rollup.rejected_request_error IS 'Rejected, never accepted: the request.';
COMMENT ON COLUMN landfall.segment_day_rollup.rejected_auth_error IS 'Rejected, never accepted: the credentials.';
COMMENT ON COLUMN landfall.segment_day_rollup.rejected_throttled IS 'Rejected, never accepted: too many.';
COMMENT ON COLUMN landfall.segment_day_rollup.rejected_provider_error IS 'Rejected, never accepted: the provider''s own trouble.';
COMMENT ON COLUMN landfall.segment_day_rollup.rejected_unknown IS 'Rejected, never accepted: no answer came, or one that no list knows.';
COMMENT ON COLUMN landfall.segment_day_rollup.conflicting IS 'Refused for more than one class of reason, never accepted.';
COMMENT ON COLUMN landfall.segment_day_rollup.reportable IS 'Accepted, and its extension could run.';
COMMENT ON COLUMN landfall.segment_day_rollup.arrived IS 'Accepted, and the extension reported it.';
COMMENT ON COLUMN landfall.segment_day_rollup.arrived_reportable IS 'Arrived and reportable.';
COMMENT ON COLUMN landfall.segment_day_rollup.confirmed IS 'Accepted, and arrived, presented, clicked or dismissed.';
COMMENT ON COLUMN landfall.segment_day_rollup.presented IS 'Accepted, and handed to the app in front.';
COMMENT ON COLUMN landfall.segment_day_rollup.clicked IS 'Accepted, and tapped or acted on.';
COMMENT ON COLUMN landfall.segment_day_rollup.dismissed IS 'Accepted, and explicitly dismissed.';
COMMENT ON COLUMN landfall.segment_day_rollup.confirmed_unreported IS 'Confirmed and reportable, but not arrived: a lost receipt.';
COMMENT ON COLUMN landfall.segment_day_rollup.responded_reportable IS 'Reportable, and presented, clicked or dismissed.';
COMMENT ON COLUMN landfall.segment_day_rollup.contradicted IS 'The device had it although no acceptance is on record.';
COMMENT ON COLUMN landfall.segment_day_rollup.unconfirmed_recalled IS 'Accepted, not confirmed, withdrawn.';
COMMENT ON COLUMN landfall.segment_day_rollup.unconfirmed_not_reportable IS 'Accepted, not confirmed, not withdrawn, not reportable.';

CREATE TABLE landfall.unmatched_rollup (
    app_id    bigint NOT NULL,
    quarter   timestamptz NOT NULL,
    slot      smallint NOT NULL,
    unmatched bigint NOT NULL,
    local     bigint NOT NULL,
    CONSTRAINT unmatched_rollup_pkey PRIMARY KEY (app_id, quarter, slot)
) WITH (fillfactor = 70);
COMMENT ON TABLE landfall.unmatched_rollup IS 'Notifications with events but no provider answer (yet).';
COMMENT ON COLUMN landfall.unmatched_rollup.app_id IS 'The app.';
COMMENT ON COLUMN landfall.unmatched_rollup.quarter IS 'Start of the quarter hour of sent_at.';
COMMENT ON COLUMN landfall.unmatched_rollup.slot IS 'The writer''s number; -1: folded by maintenance.';
COMMENT ON COLUMN landfall.unmatched_rollup.unmatched IS 'No answer on record: not yet posted, or another sender''s.';
COMMENT ON COLUMN landfall.unmatched_rollup.local IS 'Shown by the app itself: no answer is expected.';
CREATE INDEX unmatched_rollup_unfolded_idx ON landfall.unmatched_rollup (quarter) WHERE (slot >= 0);

-- Rows that statements get as one array each.
CREATE TYPE landfall.measure_change AS (
    app_id                     bigint,
    quarter                    timestamptz,
    campaign_id                bigint,
    segment_id                 bigint,
    attempted                  bigint,
    accepted                   bigint,
    rejected_token_dead        bigint,
    rejected_token_suspect     bigint,
    rejected_wrong_topic       bigint,
    rejected_wrong_environment bigint,
    rejected_payload_error     bigint,
    rejected_request_error     bigint,
    rejected_auth_error        bigint,
    rejected_throttled         bigint,
    rejected_provider_error    bigint,
    rejected_unknown           bigint,
    conflicting                bigint,
    reportable                 bigint,
    arrived                    bigint,
    arrived_reportable         bigint,
    confirmed                  bigint,
    presented                  bigint,
    clicked                    bigint,
    dismissed                  bigint,
    confirmed_unreported       bigint,
    responded_reportable       bigint,
    contradicted               bigint,
    unconfirmed_recalled       bigint,
    unconfirmed_not_reportable bigint
);
COMMENT ON TYPE landfall.measure_change IS 'What a batch of events adds to a row of delivery_rollup or segment_rollup; null adds nothing.';

-- What reports about rejections, latency and extensions read (docs/decisions/0022).
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
COMMENT ON TABLE landfall.rejection_rollup IS 'Notifications that were rejected and never accepted, by the answer that counts. Sums to rejected of segment_rollup, at every commit.';
COMMENT ON COLUMN landfall.rejection_rollup.app_id IS 'The app.';
COMMENT ON COLUMN landfall.rejection_rollup.quarter IS 'Start of the quarter hour of sent_at.';
COMMENT ON COLUMN landfall.rejection_rollup.campaign_id IS 'Campaign and variant.';
COMMENT ON COLUMN landfall.rejection_rollup.segment_id IS 'What was known about push and target when it was sent.';
COMMENT ON COLUMN landfall.rejection_rollup.answer_id IS 'The provider''s words, see provider_answer. Below 0: words that were not kept, of the class with this rank (see delivery.answer_rank).';
COMMENT ON COLUMN landfall.rejection_rollup.slot IS 'The writer''s number; -1: folded by maintenance.';
COMMENT ON COLUMN landfall.rejection_rollup.rejected IS 'So many notifications.';
CREATE INDEX rejection_rollup_unfolded_idx ON landfall.rejection_rollup (quarter) WHERE (slot >= 0);

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

CREATE TYPE landfall.rejection_change AS (
    app_id      bigint,
    quarter     timestamptz,
    campaign_id bigint,
    segment_id  bigint,
    answer_id   bigint,
    rejected    bigint
);
COMMENT ON TYPE landfall.rejection_change IS 'What a batch of events adds to a row of rejection_rollup.';

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

-- Each bound is 10 % above the last, up to 31 days.
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

CREATE TABLE landfall.latency_rollup (
    app_id        bigint NOT NULL,
    quarter       timestamptz NOT NULL,
    campaign_id   bigint NOT NULL,
    stage         text NOT NULL,
    bucket        smallint NOT NULL,
    slot          smallint NOT NULL,
    notifications bigint NOT NULL,
    CONSTRAINT latency_rollup_pkey PRIMARY KEY (app_id, quarter, campaign_id, stage, bucket, slot),
    CONSTRAINT latency_rollup_stage_check CHECK ((stage = ANY (ARRAY['arrival'::text, 'click'::text, 'arrival_by_receipt'::text, 'click_by_receipt'::text])))
) WITH (fillfactor = 70);
COMMENT ON TABLE landfall.latency_rollup IS 'How long accepted notifications took, as far as the times are known. Exact at every commit.';
COMMENT ON COLUMN landfall.latency_rollup.app_id IS 'The app.';
COMMENT ON COLUMN landfall.latency_rollup.quarter IS 'Start of the quarter hour of sent_at.';
COMMENT ON COLUMN landfall.latency_rollup.campaign_id IS 'Campaign and variant.';
COMMENT ON COLUMN landfall.latency_rollup.stage IS 'arrival: from sending to the extension''s report; click: from that to the click; with _by_receipt: those of them whose times are, in part, times of receipt.';
COMMENT ON COLUMN landfall.latency_rollup.bucket IS 'How long, see latency_bucket.';
COMMENT ON COLUMN landfall.latency_rollup.slot IS 'The writer''s number; -1: folded by maintenance.';
COMMENT ON COLUMN landfall.latency_rollup.notifications IS 'So many notifications.';
CREATE INDEX latency_rollup_unfolded_idx ON landfall.latency_rollup (quarter) WHERE (slot >= 0);

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

CREATE TYPE landfall.latency_change AS (
    app_id        bigint,
    quarter       timestamptz,
    campaign_id   bigint,
    stage         text,
    bucket        smallint,
    notifications bigint
);
COMMENT ON TYPE landfall.latency_change IS 'What a batch of events adds to a row of latency_rollup.';

-- Which versions of apps report arrivals: a question of how many they reported (docs/decisions/0033).
CREATE TABLE landfall.version_rollup (
    app_id          bigint NOT NULL,
    day             timestamptz NOT NULL,
    platform        text NOT NULL,
    app_version     text NOT NULL,
    slot            smallint NOT NULL,
    reportable      bigint NOT NULL,
    arrived_named   bigint NOT NULL,
    arrived_unnamed bigint NOT NULL,
    CONSTRAINT version_rollup_pkey PRIMARY KEY (app_id, day, platform, app_version, slot)
) WITH (fillfactor = 70);
COMMENT ON TABLE landfall.version_rollup IS 'How much of what could be reported each version of an app reported. Exact at every commit.';
COMMENT ON COLUMN landfall.version_rollup.app_id IS 'The app.';
COMMENT ON COLUMN landfall.version_rollup.day IS 'Midnight UTC that the day of sent_at begins with.';
COMMENT ON COLUMN landfall.version_rollup.platform IS 'As in segment; empty when unknown.';
COMMENT ON COLUMN landfall.version_rollup.app_version IS 'As in segment: the version that was registered when the push was sent; never empty.';
COMMENT ON COLUMN landfall.version_rollup.slot IS 'The writer''s number; -1: folded by maintenance.';
COMMENT ON COLUMN landfall.version_rollup.reportable IS 'Notifications that were accepted and that an extension could report, to installations that show alerts.';
COMMENT ON COLUMN landfall.version_rollup.arrived_named IS 'Those of them whose arrival was reported by this very version, as the report says.';
COMMENT ON COLUMN landfall.version_rollup.arrived_unnamed IS 'Those of them whose arrival was reported without naming a version.';
CREATE INDEX version_rollup_unfolded_idx ON landfall.version_rollup (day) WHERE (slot >= 0);

-- The planner puts the text of these functions in place of their calls.
CREATE FUNCTION landfall.speaks_for_version(segment landfall.segment) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT $1.app_version <> '' AND $1.permission NOT IN ('denied', 'not_determined')
$$;
COMMENT ON FUNCTION landfall.speaks_for_version IS 'Whether notifications to this segment count for a version of the app: the version is known, and alerts are shown, so that its extension can run.';

CREATE FUNCTION landfall.wilson_low(part double precision, whole double precision) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN $2 > 0 AND $1 > 0
                THEN ($1 + 1.92072941 - 1.95996398 * sqrt($1 * greatest($2 - $1, 0) / $2 + 0.96036471)) / ($2 + 3.84145882)
                ELSE 0 END
$$;
COMMENT ON FUNCTION landfall.wilson_low IS 'The lower end of Wilson''s 95 % interval of a share.';

CREATE FUNCTION landfall.version_reports(
    reportable double precision, arrived_named double precision, arrived_unnamed double precision
) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT landfall.wilson_low($2, $1) > 0.02 OR landfall.wilson_low($2 + $3, $1) > 0.1
$$;
COMMENT ON FUNCTION landfall.version_reports IS 'Whether a version of an app has an extension that reports: surely more than 2 % of what it could report, by its own reports; or 10 %, if reports that name no version are counted as its own, which may come from phones that were updated since.';

CREATE VIEW landfall.reporting_version AS
SELECT app_id, platform, app_version
  FROM landfall.version_rollup
 GROUP BY app_id, platform, app_version
HAVING landfall.version_reports(sum(reportable), sum(arrived_named), sum(arrived_unnamed));
COMMENT ON VIEW landfall.reporting_version IS 'Known versions of apps whose notification service extension reports arrivals, by all that was ever counted. The only definition of it.';

-- Sketches of targeted, reached and engaged installations, for reach over long windows (docs/decisions/0024). They are values of the
-- extension hll, kept as bytes, so the table does not need the extension.
CREATE TABLE landfall.reach_sketch (
    app_id         bigint NOT NULL,
    quarters       smallint NOT NULL,
    starts_at      timestamptz NOT NULL,
    campaign_id    bigint NOT NULL,
    targeted       bytea,
    reached        bytea,
    engaged        bytea,
    loose_tokens   bigint[],
    without_target bigint NOT NULL,
    attempted      bigint NOT NULL,
    confirmed      bigint NOT NULL,
    clicked        bigint NOT NULL,
    built_at       timestamptz NOT NULL,
    CONSTRAINT reach_sketch_pkey PRIMARY KEY (app_id, quarters, starts_at, campaign_id) INCLUDE (attempted, confirmed, clicked),
    CONSTRAINT reach_sketch_quarters_check CHECK ((quarters = ANY (ARRAY[1, 4, 16, 96])))
);
-- Sketches are packed bits: compressing them costs time and gains nothing.
ALTER TABLE landfall.reach_sketch ALTER COLUMN targeted SET STORAGE EXTERNAL;
ALTER TABLE landfall.reach_sketch ALTER COLUMN reached SET STORAGE EXTERNAL;
ALTER TABLE landfall.reach_sketch ALTER COLUMN engaged SET STORAGE EXTERNAL;
COMMENT ON TABLE landfall.reach_sketch IS 'Who was aimed at, reached and engaged in a span of sent_at, as HyperLogLog sketches. A cache: a row holds while its three sums equal those of delivery_rollup, and may be deleted at any time.';
COMMENT ON COLUMN landfall.reach_sketch.app_id IS 'The app.';
COMMENT ON COLUMN landfall.reach_sketch.quarters IS 'How many quarter hours the span has: 1, 4, 16 (four hours) or 96 (a UTC day).';
COMMENT ON COLUMN landfall.reach_sketch.starts_at IS 'Where the span begins: a multiple of its length since midnight UTC.';
COMMENT ON COLUMN landfall.reach_sketch.campaign_id IS 'Campaign and variant; 0: all of the app''s together.';
COMMENT ON COLUMN landfall.reach_sketch.targeted IS 'Installations with an attempted notification, by the bytes of an hll; null: none.';
COMMENT ON COLUMN landfall.reach_sketch.reached IS 'Installations with a confirmed notification; null: none.';
COMMENT ON COLUMN landfall.reach_sketch.engaged IS 'Installations with a click; null: none.';
COMMENT ON COLUMN landfall.reach_sketch.loose_tokens IS 'Tokens of rows that know no installation: 4 * token_id, + 1 when reached, + 2 when engaged. Who holds them is looked up when a report is asked, since it changes.';
COMMENT ON COLUMN landfall.reach_sketch.without_target IS 'Notifications that name neither token nor installation.';
COMMENT ON COLUMN landfall.reach_sketch.attempted IS 'Attempted notifications that the sketches are made of.';
COMMENT ON COLUMN landfall.reach_sketch.confirmed IS 'Confirmed ones among them.';
COMMENT ON COLUMN landfall.reach_sketch.clicked IS 'Clicked ones among them.';
COMMENT ON COLUMN landfall.reach_sketch.built_at IS 'When the sketches were made.';

-- Queries that reports are made of; the planner puts their text in place of the calls.
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
