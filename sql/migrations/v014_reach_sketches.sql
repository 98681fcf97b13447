-- Sketches of who was aimed at, reached and engaged, for reach over long windows (docs/decisions/0024). They are values of the
-- extension hll, kept as bytes, so that the table is there whether the extension is or not.

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
    CONSTRAINT reach_sketch_pkey PRIMARY KEY (app_id, quarters, starts_at, campaign_id)
        INCLUDE (attempted, confirmed, clicked),
    CONSTRAINT reach_sketch_quarters_check CHECK (quarters IN (1, 4, 16, 96))
);
-- Sketches are packed bits: trying to compress them costs time and gains nothing.
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

CREATE TABLE landfall.audience_count (
    app_id     bigint NOT NULL,
    audience   bigint NOT NULL,
    counted_at timestamptz NOT NULL,
    CONSTRAINT audience_count_pkey PRIMARY KEY (app_id)
);
COMMENT ON TABLE landfall.audience_count IS 'The audience as maintenance last counted it, for reports that are answered by sketches: counting it takes longer than all the rest of them.';
COMMENT ON COLUMN landfall.audience_count.app_id IS 'The app.';
COMMENT ON COLUMN landfall.audience_count.audience IS 'Installations that could be shown a notification.';
COMMENT ON COLUMN landfall.audience_count.counted_at IS 'When they were counted.';
