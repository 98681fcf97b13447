-- Values that rows refer to by number: campaigns, segments, provider responses.

CREATE TABLE landfall.campaign (
    campaign_id bigint GENERATED ALWAYS AS IDENTITY, app_id bigint NOT NULL, key text NOT NULL,
    variant text NOT NULL,
    CONSTRAINT campaign_pkey PRIMARY KEY (campaign_id),
    CONSTRAINT campaign_key_key UNIQUE (app_id, key, variant)
);
COMMENT ON TABLE landfall.campaign IS 'Interned pairs of campaign and variant.';
COMMENT ON COLUMN landfall.campaign.campaign_id IS 'Identifies the pair in notifications and counters.';
COMMENT ON COLUMN landfall.campaign.key IS 'The campaign as the sender names it; empty for notifications without one.';
COMMENT ON COLUMN landfall.campaign.variant IS 'The variant as the sender names it; empty if there is none.';

CREATE TABLE landfall.segment (
    segment_id bigint GENERATED ALWAYS AS IDENTITY, app_id bigint NOT NULL, provider text NOT NULL,
    environment text NOT NULL, topic text NOT NULL, push_type text NOT NULL, priority text NOT NULL,
    platform text NOT NULL, app_version text NOT NULL, os_version text NOT NULL, language text NOT NULL,
    permission text NOT NULL,
    digest uuid NOT NULL GENERATED ALWAYS AS (
        md5(provider || E'\x1F' || environment || E'\x1F' || topic || E'\x1F' || push_type || E'\x1F' || priority
            || E'\x1F' || platform || E'\x1F' || app_version || E'\x1F' || os_version || E'\x1F' || language
            || E'\x1F' || permission)::uuid) STORED,
    CONSTRAINT segment_pkey PRIMARY KEY (segment_id),
    CONSTRAINT segment_digest_key UNIQUE (app_id, digest)
);
COMMENT ON TABLE landfall.segment IS 'Interned combinations of what was known about a push and its target when it was sent.';
COMMENT ON COLUMN landfall.segment.segment_id IS 'Identifies the combination in notifications and counters.';
COMMENT ON COLUMN landfall.segment.provider IS 'apns, fcm, webpush, … as the sender named it.';
COMMENT ON COLUMN landfall.segment.push_type IS 'apns-push-type.';
COMMENT ON COLUMN landfall.segment.priority IS 'apns-priority; empty when unknown.';
COMMENT ON COLUMN landfall.segment.platform IS 'The installation''s platform; empty when unknown.';
COMMENT ON COLUMN landfall.segment.app_version IS 'The installation''s app version; empty when unknown.';
COMMENT ON COLUMN landfall.segment.os_version IS 'The installation''s OS version; empty when unknown.';
COMMENT ON COLUMN landfall.segment.language IS 'The installation''s language; empty when unknown.';
COMMENT ON COLUMN landfall.segment.permission IS 'The installation''s permission; empty when unknown.';
COMMENT ON COLUMN landfall.segment.digest IS 'Digest of all columns above, for the unique key: together they can exceed the size of an index entry.';

CREATE TABLE landfall.provider_reason (
    provider text NOT NULL, status text NOT NULL, reason text NOT NULL, outcome_class text NOT NULL,
    token_verdict text NOT NULL, retryable text NOT NULL, source text NOT NULL,
    CONSTRAINT provider_reason_pkey PRIMARY KEY (provider, status, reason)
);
COMMENT ON TABLE landfall.provider_reason IS 'The meaning of each response of each provider. This is the only list of reasons; migrations fill it.';
COMMENT ON COLUMN landfall.provider_reason.provider IS 'apns, fcm, webpush, …';
COMMENT ON COLUMN landfall.provider_reason.status IS 'HTTP status or receipt code. 0: the provider did not respond; 2xx and 5xx: a range; *: any; -: none.';
COMMENT ON COLUMN landfall.provider_reason.reason IS 'The provider''s exact word. *: any other; empty: none.';
COMMENT ON COLUMN landfall.provider_reason.outcome_class IS 'accepted, or the class of the rejection.';
COMMENT ON COLUMN landfall.provider_reason.token_verdict IS 'What the response means for the token: keep, suspect, invalidate, invalidate_if_not_reregistered_since_timestamp. Token rules read nothing else of a response''s meaning.';
COMMENT ON COLUMN landfall.provider_reason.retryable IS 'Whether sending again can help: no, after_delay, after_fix, new_connection.';
COMMENT ON COLUMN landfall.provider_reason.source IS 'The source of the fact.';

CREATE TABLE landfall.provider_response (
    response_id bigint GENERATED ALWAYS AS IDENTITY, provider text NOT NULL, status integer NOT NULL,
    reason text NOT NULL, outcome_class text NOT NULL,
    CONSTRAINT provider_response_pkey PRIMARY KEY (response_id),
    CONSTRAINT provider_response_words_key UNIQUE (provider, status, reason)
);
COMMENT ON TABLE landfall.provider_response IS 'Interned provider responses, word for word, including those that are not in provider_reason.';
COMMENT ON COLUMN landfall.provider_response.response_id IS 'Identifies the response in notifications and counters.';
COMMENT ON COLUMN landfall.provider_response.provider IS 'The provider that responded.';
COMMENT ON COLUMN landfall.provider_response.status IS 'The status as posted; 0: the provider did not respond.';
COMMENT ON COLUMN landfall.provider_response.reason IS 'The reason as posted; empty if there is none.';
COMMENT ON COLUMN landfall.provider_response.outcome_class IS 'The class assigned to it when it was first seen.';
