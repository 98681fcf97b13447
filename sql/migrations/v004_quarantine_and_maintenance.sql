-- A quarantine with bounds and books (docs/decisions/0012), and what maintenance needs (docs/decisions/0013).

-- Rows from before have no digest: nothing is known to repeat them. They replay as a device's, which may do least.
ALTER TABLE landfall.quarantined_item ADD COLUMN digest bytea;
ALTER TABLE landfall.quarantined_item ADD COLUMN poster text NOT NULL DEFAULT 'device';
ALTER TABLE landfall.quarantined_item ADD CONSTRAINT quarantined_item_poster_check CHECK (poster IN ('server', 'device'));
CREATE UNIQUE INDEX quarantined_item_digest_idx ON landfall.quarantined_item (app_id, digest);
COMMENT ON COLUMN landfall.quarantined_item.digest IS 'HMAC of poster, code and the whole text: the same item posted again is counted as repeated, and not kept twice.';
COMMENT ON COLUMN landfall.quarantined_item.poster IS 'server or device: the kind of key that posted it, and under whose rules it is replayed.';

CREATE TABLE landfall.quarantine_count (
    app_id        bigint NOT NULL,
    slot          smallint NOT NULL,
    earlier       bigint NOT NULL DEFAULT 0,
    kept          bigint NOT NULL DEFAULT 0,
    kept_bytes    bigint NOT NULL DEFAULT 0,
    repeated      bigint NOT NULL DEFAULT 0,
    evicted       bigint NOT NULL DEFAULT 0,
    dropped       bigint NOT NULL DEFAULT 0,
    replayed      bigint NOT NULL DEFAULT 0,
    removed_bytes bigint NOT NULL DEFAULT 0,
    CONSTRAINT quarantine_count_pkey PRIMARY KEY (app_id, slot)
) WITH (fillfactor = 50);
COMMENT ON TABLE landfall.quarantine_count IS 'What became of rejected items. At every commit, per app: rejected (intake_rollup) + earlier = kept + repeated, and rows in quarantined_item = kept - evicted - dropped - replayed.';
COMMENT ON COLUMN landfall.quarantine_count.app_id IS 'The app.';
COMMENT ON COLUMN landfall.quarantine_count.slot IS 'The writer''s number, so that concurrent writers do not wait for each other; -1: maintenance and people. Sums over slots are what counts.';
COMMENT ON COLUMN landfall.quarantine_count.earlier IS 'Rows that were there before what comes in was counted.';
COMMENT ON COLUMN landfall.quarantine_count.kept IS 'Rejected items that became rows.';
COMMENT ON COLUMN landfall.quarantine_count.kept_bytes IS 'Bytes of sealed text of these.';
COMMENT ON COLUMN landfall.quarantine_count.repeated IS 'Rejected items that were in quarantine already.';
COMMENT ON COLUMN landfall.quarantine_count.evicted IS 'Rows that went because there were too many: the oldest first.';
COMMENT ON COLUMN landfall.quarantine_count.dropped IS 'Rows that went because somebody dropped them.';
COMMENT ON COLUMN landfall.quarantine_count.replayed IS 'Rows that went because they were posted again and not rejected.';
COMMENT ON COLUMN landfall.quarantine_count.removed_bytes IS 'Bytes of sealed text of the rows that went, whatever the way.';

INSERT INTO landfall.quarantine_count (app_id, slot, earlier, kept, kept_bytes)
SELECT app_id, -1, items - coalesce(counted.rejected, 0), items, bytes
  FROM (SELECT app_id, count(*) AS items, sum(octet_length(sealed_text)) AS bytes
          FROM landfall.quarantined_item GROUP BY app_id) AS item
  LEFT JOIN (SELECT app_id, sum(rejected) AS rejected FROM landfall.intake_rollup GROUP BY app_id) AS counted
       USING (app_id);

CREATE TABLE landfall.retention (
    is_only   boolean NOT NULL DEFAULT true,
    kept_from timestamptz NOT NULL,
    CONSTRAINT retention_pkey PRIMARY KEY (is_only),
    CONSTRAINT retention_is_only_check CHECK (is_only)
);
COMMENT ON TABLE landfall.retention IS 'How far back notifications are kept. At most one row; none while nothing was ever dropped.';
COMMENT ON COLUMN landfall.retention.is_only IS 'Always true: there is one horizon.';
COMMENT ON COLUMN landfall.retention.kept_from IS 'Rows of delivery sent before this instant were dropped. Their counters stay, and can no longer be recounted.';

-- Drops the partition of one UTC day and moves the horizon, in one transaction: whoever sees the horizon knows what is gone.
-- Dropping locks the whole table for a moment, so it does not wait for that longer than 200 ms (SQLSTATE 55P03): behind it
-- everybody would wait.
CREATE FUNCTION landfall.drop_delivery_partition(day date) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('lock_timeout', '200ms', true);
    EXECUTE format('DROP TABLE IF EXISTS landfall.%I', 'delivery_' || to_char(day, 'YYYYMMDD'));
    INSERT INTO landfall.retention AS known (kept_from) VALUES ((day + 1)::timestamp AT TIME ZONE 'UTC')
    ON CONFLICT (is_only) DO UPDATE SET kept_from = greatest(known.kept_from, excluded.kept_from);
END;
$$;
COMMENT ON FUNCTION landfall.drop_delivery_partition IS 'Drops the partition of landfall.delivery for one UTC day and says so in landfall.retention.';

CREATE INDEX notification_date_sent_at_idx ON landfall.notification_date (sent_at);

-- What maintenance has not folded yet: small, because it folds everything that is some days old.
CREATE INDEX delivery_rollup_unfolded_idx ON landfall.delivery_rollup (quarter) WHERE slot >= 0;
CREATE INDEX segment_rollup_unfolded_idx ON landfall.segment_rollup (quarter) WHERE slot >= 0;
CREATE INDEX unmatched_rollup_unfolded_idx ON landfall.unmatched_rollup (quarter) WHERE slot >= 0;
CREATE INDEX intake_rollup_unfolded_idx ON landfall.intake_rollup (hour) WHERE slot >= 0;
COMMENT ON COLUMN landfall.delivery_rollup.slot IS 'The writer''s number, so that concurrent writers do not wait for each other; -1: folded by maintenance. Reports sum over slots.';
COMMENT ON COLUMN landfall.segment_rollup.slot IS 'The writer''s number; -1: folded by maintenance.';
COMMENT ON COLUMN landfall.unmatched_rollup.slot IS 'The writer''s number; -1: folded by maintenance.';
