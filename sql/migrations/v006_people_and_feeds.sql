-- Tokens that expire, permission over time, what a sender follows, and erasure (docs/decisions/0017, docs/feeds.md).

ALTER TABLE landfall.token ADD COLUMN expires_at timestamptz;
COMMENT ON COLUMN landfall.token.expires_at IS 'When the app said the value stops working, as those of Live Activities do; null for most. Registering it again sets it anew.';
CREATE INDEX token_expiry_idx ON landfall.token (app_id, expires_at) WHERE expires_at IS NOT NULL AND state <> 'retired';
-- GET /v1/tokens pages by it. The state stands first still, so that nobody who looks for one token of an app goes through all of them.
DROP INDEX landfall.token_state_idx;
CREATE INDEX token_state_idx ON landfall.token (state, app_id, token_id);

-- An identity value is taken long before its row can be seen, so rows become visible out of its order. Transactions become
-- visible in no order either, but one that has not begun to write yet gets a greater number than all that have: below the oldest
-- number still at work, nothing can appear any more. Rows from before this migration get its own number.
ALTER TABLE landfall.token_transition ADD COLUMN written_by xid8 NOT NULL DEFAULT pg_current_xact_id();
COMMENT ON COLUMN landfall.token_transition.written_by IS 'The transaction that wrote the row. Feeds go by (written_by, transition_id) and stop before the oldest transaction that still writes, so that no row appears behind a reader.';
COMMENT ON COLUMN landfall.token_transition.transition_id IS 'Names the row; what a reader of the feed stores. Not the order of the feed, see written_by.';
CREATE INDEX token_transition_order_idx ON landfall.token_transition (app_id, written_by, transition_id);

CREATE TABLE landfall.permission_period (
    app_id          bigint NOT NULL,
    installation_id bigint NOT NULL,
    permission      text NOT NULL,
    started_at      timestamptz NOT NULL,
    ended_at        timestamptz,
    CONSTRAINT permission_period_pkey PRIMARY KEY (installation_id, started_at)
);
COMMENT ON TABLE landfall.permission_period IS 'Which permission an installation reported, and from when until when. Goes with the installation when that is erased.';
COMMENT ON COLUMN landfall.permission_period.app_id IS 'The app.';
COMMENT ON COLUMN landfall.permission_period.installation_id IS 'The installation.';
COMMENT ON COLUMN landfall.permission_period.permission IS 'authorized, provisional, ephemeral, denied, not_determined.';
COMMENT ON COLUMN landfall.permission_period.started_at IS 'The registration that first said so; for what was known before periods were kept, the last registration before.';
COMMENT ON COLUMN landfall.permission_period.ended_at IS 'The registration that first said otherwise; null while it holds.';

INSERT INTO landfall.permission_period (app_id, installation_id, permission, started_at)
SELECT app_id, installation_id, permission, last_registered_at
  FROM landfall.installation
 WHERE permission <> '';

CREATE TABLE landfall.erasure_receipt (
    receipt_id              uuid NOT NULL,
    app_id                  bigint NOT NULL,
    installation_id         bigint NOT NULL,
    erased_at               timestamptz NOT NULL,
    token_count             bigint NOT NULL,
    value_count             bigint NOT NULL,
    account_binding_count   bigint NOT NULL,
    permission_period_count bigint NOT NULL,
    tag_count               bigint NOT NULL,
    CONSTRAINT erasure_receipt_pkey PRIMARY KEY (app_id, installation_id),
    CONSTRAINT erasure_receipt_id_key UNIQUE (app_id, receipt_id)
);
COMMENT ON TABLE landfall.erasure_receipt IS 'One row per erased installation: proof of what was erased, without a word of it.';
COMMENT ON COLUMN landfall.erasure_receipt.receipt_id IS 'Random; what the person who asked is given.';
COMMENT ON COLUMN landfall.erasure_receipt.app_id IS 'The app.';
COMMENT ON COLUMN landfall.erasure_receipt.installation_id IS 'The installation, of which only a tombstone is left.';
COMMENT ON COLUMN landfall.erasure_receipt.erased_at IS 'When it was erased.';
COMMENT ON COLUMN landfall.erasure_receipt.token_count IS 'Device tokens that were retired, or had been before.';
COMMENT ON COLUMN landfall.erasure_receipt.value_count IS 'Sealed values among them that were erased.';
COMMENT ON COLUMN landfall.erasure_receipt.account_binding_count IS 'Periods of accounts that were deleted.';
COMMENT ON COLUMN landfall.erasure_receipt.permission_period_count IS 'Periods of permissions that were deleted.';
COMMENT ON COLUMN landfall.erasure_receipt.tag_count IS 'Tags that were deleted.';
