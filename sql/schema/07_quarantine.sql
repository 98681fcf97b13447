-- Posted items, rejected items, and what devices used of their apps' quotas.

CREATE TABLE landfall.intake_rollup (
    app_id bigint NOT NULL, hour timestamptz NOT NULL, shard smallint NOT NULL, received bigint NOT NULL,
    accepted bigint NOT NULL, duplicates bigint NOT NULL, rejected bigint NOT NULL,
    reused_ids bigint DEFAULT 0 NOT NULL, reused_id uuid,
    CONSTRAINT intake_rollup_pkey PRIMARY KEY (app_id, hour, shard)
) WITH (fillfactor = 50);
COMMENT ON TABLE landfall.intake_rollup IS 'Verdicts on posted items, by the hour in which they were received.';
COMMENT ON COLUMN landfall.intake_rollup.hour IS 'The start of the hour (UTC) in which the items were received, by the server''s clock.';
COMMENT ON COLUMN landfall.intake_rollup.shard IS 'The writer''s share, as in counter_live.';
COMMENT ON COLUMN landfall.intake_rollup.received IS 'Items of requests that got a response; always accepted + duplicates + rejected.';
COMMENT ON COLUMN landfall.intake_rollup.accepted IS 'Items that changed a row.';
COMMENT ON COLUMN landfall.intake_rollup.duplicates IS 'Items that changed nothing.';
COMMENT ON COLUMN landfall.intake_rollup.rejected IS 'Items that were put into quarantine.';
COMMENT ON COLUMN landfall.intake_rollup.reused_ids IS 'Of the accepted and the duplicates, responses that got the warning reused_id: a push to another device has the same notification_id.';
COMMENT ON COLUMN landfall.intake_rollup.reused_id IS 'The notification of the last of these responses; null if there is none.';
CREATE INDEX intake_rollup_unfolded_idx ON landfall.intake_rollup (hour) WHERE (shard >= 0);

CREATE TABLE landfall.device_quota_use (
    app_id bigint NOT NULL, hour timestamptz NOT NULL, unmatched_events bigint NOT NULL,
    new_installations bigint NOT NULL, rejected_events bigint NOT NULL,
    rejected_installations bigint NOT NULL, new_values bigint NOT NULL, rejected_values bigint NOT NULL,
    CONSTRAINT device_quota_use_pkey PRIMARY KEY (app_id, hour)
);
COMMENT ON TABLE landfall.device_quota_use IS 'What requests with device keys used of their app''s hourly quotas, as servers add it twice a minute. Kept for a week.';
COMMENT ON COLUMN landfall.device_quota_use.hour IS 'The start of the hour (UTC), by the server''s clock.';
COMMENT ON COLUMN landfall.device_quota_use.unmatched_events IS 'Events that were recorded although no response to their notification was known.';
COMMENT ON COLUMN landfall.device_quota_use.new_installations IS 'Registrations that created an installation.';
COMMENT ON COLUMN landfall.device_quota_use.rejected_events IS 'Unmatched events beyond the quota.';
COMMENT ON COLUMN landfall.device_quota_use.rejected_installations IS 'Registrations of new installations beyond the quota.';
COMMENT ON COLUMN landfall.device_quota_use.new_values IS 'New token values of installations to which no push was accepted yet.';
COMMENT ON COLUMN landfall.device_quota_use.rejected_values IS 'Registrations with such values beyond the quota.';

-- Rejected items, with limits and accounts (docs/decisions/0012).
CREATE TABLE landfall.quarantined_item (
    item_id bigint GENERATED ALWAYS AS IDENTITY, app_id bigint NOT NULL, received_at timestamptz NOT NULL,
    code text NOT NULL, detail text NOT NULL, sealed_text bytea NOT NULL, digest bytea,
    poster text DEFAULT 'device' NOT NULL, preset text,
    CONSTRAINT quarantined_item_pkey PRIMARY KEY (app_id, item_id),
    CONSTRAINT quarantined_item_poster_check CHECK (poster IN ('server', 'device'))
);
COMMENT ON TABLE landfall.quarantined_item IS 'Rejected items, kept within the limits of the quarantine until they are dropped or replayed.';
COMMENT ON COLUMN landfall.quarantined_item.item_id IS 'Identifies the item.';
COMMENT ON COLUMN landfall.quarantined_item.app_id IS 'The app whose key posted it.';
COMMENT ON COLUMN landfall.quarantined_item.received_at IS 'When it was posted.';
COMMENT ON COLUMN landfall.quarantined_item.code IS 'Why it was rejected.';
COMMENT ON COLUMN landfall.quarantined_item.detail IS 'The reason in words; never quotes the item.';
COMMENT ON COLUMN landfall.quarantined_item.sealed_text IS 'The item as posted, under AES-GCM, because it may contain a device token.';
COMMENT ON COLUMN landfall.quarantined_item.digest IS 'HMAC of poster, code, preset and the whole text. The same item posted again is counted as repeated and not kept twice.';
COMMENT ON COLUMN landfall.quarantined_item.poster IS 'The kind of key that posted it, server or device. A replay follows the rules for that kind.';
COMMENT ON COLUMN landfall.quarantined_item.preset IS 'The preset in whose form the text is, such as gorush: a replay reads it through that preset again. Null: the form of POST /v1/events.';
CREATE UNIQUE INDEX quarantined_item_digest_idx ON landfall.quarantined_item (app_id, digest);
CREATE INDEX quarantined_item_poster_idx ON landfall.quarantined_item (app_id, poster, item_id);

CREATE TABLE landfall.quarantine_count (
    app_id bigint NOT NULL, poster text NOT NULL, shard smallint NOT NULL, kept bigint DEFAULT 0 NOT NULL,
    kept_bytes bigint DEFAULT 0 NOT NULL, repeated bigint DEFAULT 0 NOT NULL,
    evicted bigint DEFAULT 0 NOT NULL, dropped bigint DEFAULT 0 NOT NULL, replayed bigint DEFAULT 0 NOT NULL,
    removed_bytes bigint DEFAULT 0 NOT NULL,
    CONSTRAINT quarantine_count_pkey PRIMARY KEY (app_id, poster, shard),
    CONSTRAINT quarantine_count_poster_check CHECK (poster IN ('server', 'device'))
) WITH (fillfactor = 50);
COMMENT ON TABLE landfall.quarantine_count IS 'The accounts of rejected items. At every commit: rejected (intake_rollup) = kept + repeated, per app, and rows in quarantined_item = kept - evicted - dropped - replayed, per app and poster.';
COMMENT ON COLUMN landfall.quarantine_count.poster IS 'The kind of key that posted the items, server or device. Each has a share of the quarantine, so that devices cannot evict the items of servers.';
COMMENT ON COLUMN landfall.quarantine_count.shard IS 'The writer''s number, so that concurrent writers do not wait for each other; -1: maintenance and commands. Only sums over shards have a meaning.';
COMMENT ON COLUMN landfall.quarantine_count.kept IS 'Rejected items that became rows.';
COMMENT ON COLUMN landfall.quarantine_count.kept_bytes IS 'Bytes of sealed text of these rows.';
COMMENT ON COLUMN landfall.quarantine_count.repeated IS 'Rejected items that were in quarantine already.';
COMMENT ON COLUMN landfall.quarantine_count.evicted IS 'Rows removed because the poster''s share of the quarantine exceeded its limits, the oldest first.';
COMMENT ON COLUMN landfall.quarantine_count.dropped IS 'Rows removed by landfall quarantine drop.';
COMMENT ON COLUMN landfall.quarantine_count.replayed IS 'Rows removed because they were posted again and not rejected.';
COMMENT ON COLUMN landfall.quarantine_count.removed_bytes IS 'Bytes of sealed text of all removed rows: evicted, dropped and replayed.';
