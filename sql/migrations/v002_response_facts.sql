-- Four facts of a response. The columns have no default, so no row is written. For a moment, the statement locks all partitions.
ALTER TABLE landfall.delivery
    ADD COLUMN expires_at timestamptz,
    ADD COLUMN sender text,
    ADD COLUMN provider_id text,
    ADD COLUMN content_available boolean;
COMMENT ON COLUMN landfall.delivery.expires_at IS 'When the provider gives up delivering it, as the sender asked; null if the sender did not say.';
COMMENT ON COLUMN landfall.delivery.sender IS 'The service that sent it, by the name that the app gives it.';
COMMENT ON COLUMN landfall.delivery.provider_id IS 'The id that the provider gave it.';
COMMENT ON COLUMN landfall.delivery.content_available IS 'Whether it also woke the app in the background (content-available); null if the sender did not say.';

-- Programs of the version before may be connected until they are replaced: they send rows of landfall.delivery_event.
CREATE TYPE landfall.delivery_event_2 AS (
    notification_id uuid, app_id bigint, sent_at timestamptz, campaign_id bigint, segment_id bigint, token_id bigint,
    installation_id bigint, response_id bigint, state integer, arrived_after_ms bigint, presented_after_ms bigint,
    clicked_after_ms bigint, dismissed_after_ms bigint, response_rank smallint, sent_after_ms bigint,
    timed_by_receipt integer, arrived_version text, reporters bigint[], arrived_kit text, witness text,
    rejected_at timestamptz, collapse_id text, action text, app_state text, has_text boolean, category text,
    extension_outcome text, expires_at timestamptz, sender text, provider_id text, content_available boolean
);
COMMENT ON TYPE landfall.delivery_event_2 IS 'As delivery_event, with the facts of notifications last.';
