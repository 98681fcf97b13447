-- Everything Landfall stores. Ids are bigint, instants are timestamptz in UTC. What a client can name (a notification, a
-- device, a token) is found by its app and that name, so that no key reaches another app's row.
--
-- Written for plain PostgreSQL 15 and for Citus alike: no trigger, no foreign key, and every unique key of a table that
-- could be distributed holds its distribution column (docs/decisions/0004).

CREATE TABLE landfall.app (
    app_id     bigint GENERATED ALWAYS AS IDENTITY,
    slug       text NOT NULL,
    settings   jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL,
    CONSTRAINT app_pkey PRIMARY KEY (app_id),
    CONSTRAINT app_slug_key UNIQUE (slug),
    CONSTRAINT app_slug_check CHECK (slug ~ '^[a-z0-9][a-z0-9._-]{0,62}$')
);
COMMENT ON TABLE landfall.app IS 'One row per app (tenant). Every other row belongs to one.';
COMMENT ON COLUMN landfall.app.app_id IS 'What every row belongs to, and part of every key by which a client finds one.';
COMMENT ON COLUMN landfall.app.slug IS 'The name people type: --app shop.';
COMMENT ON COLUMN landfall.app.settings IS 'Settings that differ from the defaults: stale_after_days, sweep_after_days.';
COMMENT ON COLUMN landfall.app.created_at IS 'When the app was created.';

CREATE TABLE landfall.api_key (
    api_key_id bigint GENERATED ALWAYS AS IDENTITY,
    app_id     bigint NOT NULL,
    kind       text NOT NULL,
    digest     bytea NOT NULL,
    prefix     text NOT NULL,
    created_at timestamptz NOT NULL,
    revoked_at timestamptz,
    CONSTRAINT api_key_pkey PRIMARY KEY (api_key_id),
    CONSTRAINT api_key_digest_key UNIQUE (digest),
    CONSTRAINT api_key_kind_check CHECK (kind IN ('server', 'device', 'report'))
);
COMMENT ON TABLE landfall.api_key IS 'Bearer keys. The key itself is not stored.';
COMMENT ON COLUMN landfall.api_key.api_key_id IS 'Shown in logs in place of the key.';
COMMENT ON COLUMN landfall.api_key.app_id IS 'The one app the key belongs to.';
COMMENT ON COLUMN landfall.api_key.kind IS 'server: all ingestion; device: device events and registration; report: reports.';
COMMENT ON COLUMN landfall.api_key.digest IS 'SHA-256 of the whole key.';
COMMENT ON COLUMN landfall.api_key.prefix IS 'The first characters of the key, enough for a person to tell keys apart.';
COMMENT ON COLUMN landfall.api_key.created_at IS 'When the key was made.';
COMMENT ON COLUMN landfall.api_key.revoked_at IS 'When the key stopped being valid; null while it is.';

CREATE TABLE landfall.campaign (
    campaign_id bigint GENERATED ALWAYS AS IDENTITY,
    app_id      bigint NOT NULL,
    key         text NOT NULL,
    variant     text NOT NULL,
    CONSTRAINT campaign_pkey PRIMARY KEY (campaign_id),
    CONSTRAINT campaign_key_key UNIQUE (app_id, key, variant)
);
COMMENT ON TABLE landfall.campaign IS 'Interned campaign and variant.';
COMMENT ON COLUMN landfall.campaign.campaign_id IS 'What rows and counters refer to.';
COMMENT ON COLUMN landfall.campaign.app_id IS 'The app.';
COMMENT ON COLUMN landfall.campaign.key IS 'The campaign as the sender names it; empty for notifications without one.';
COMMENT ON COLUMN landfall.campaign.variant IS 'The variant as the sender names it; empty without one.';

CREATE TABLE landfall.segment (
    segment_id  bigint GENERATED ALWAYS AS IDENTITY,
    app_id      bigint NOT NULL,
    provider    text NOT NULL,
    environment text NOT NULL,
    topic       text NOT NULL,
    push_type   text NOT NULL,
    priority    text NOT NULL,
    platform    text NOT NULL,
    app_version text NOT NULL,
    os_version  text NOT NULL,
    language    text NOT NULL,
    permission  text NOT NULL,
    digest      uuid NOT NULL GENERATED ALWAYS AS (
        md5(provider || E'\x1F' || environment || E'\x1F' || topic || E'\x1F' || push_type || E'\x1F' || priority
            || E'\x1F' || platform || E'\x1F' || app_version || E'\x1F' || os_version || E'\x1F' || language
            || E'\x1F' || permission)::uuid) STORED,
    CONSTRAINT segment_pkey PRIMARY KEY (segment_id),
    CONSTRAINT segment_digest_key UNIQUE (app_id, digest)
);
COMMENT ON TABLE landfall.segment IS 'Interned combination of what was known about a push and its target when it was sent.';
COMMENT ON COLUMN landfall.segment.segment_id IS 'What rows and counters refer to.';
COMMENT ON COLUMN landfall.segment.app_id IS 'The app.';
COMMENT ON COLUMN landfall.segment.provider IS 'apns, fcm, webpush, … as the sender named it.';
COMMENT ON COLUMN landfall.segment.environment IS 'production or sandbox.';
COMMENT ON COLUMN landfall.segment.topic IS 'apns-topic; empty when unknown.';
COMMENT ON COLUMN landfall.segment.push_type IS 'apns-push-type.';
COMMENT ON COLUMN landfall.segment.priority IS 'apns-priority; empty when unknown.';
COMMENT ON COLUMN landfall.segment.platform IS 'Of the installation; empty when unknown.';
COMMENT ON COLUMN landfall.segment.app_version IS 'Of the installation; empty when unknown.';
COMMENT ON COLUMN landfall.segment.os_version IS 'Of the installation; empty when unknown.';
COMMENT ON COLUMN landfall.segment.language IS 'Of the installation; empty when unknown.';
COMMENT ON COLUMN landfall.segment.permission IS 'Of the installation; empty when unknown.';
COMMENT ON COLUMN landfall.segment.digest IS 'Stands for all of the above in the unique key: together they can be longer than an index entry.';

CREATE TABLE landfall.provider_reason (
    provider      text NOT NULL,
    status        text NOT NULL,
    reason        text NOT NULL,
    outcome_class text NOT NULL,
    token_verdict text NOT NULL,
    retryable     text NOT NULL,
    source        text NOT NULL,
    CONSTRAINT provider_reason_pkey PRIMARY KEY (provider, status, reason)
);
COMMENT ON TABLE landfall.provider_reason IS 'What each answer of each provider means. The only list of reasons there is; its rows come with the migrations.';
COMMENT ON COLUMN landfall.provider_reason.provider IS 'apns, fcm, webpush, …';
COMMENT ON COLUMN landfall.provider_reason.status IS 'HTTP status or receipt code; 0: no answer came; 2xx and 5xx: a range; *: any; -: none.';
COMMENT ON COLUMN landfall.provider_reason.reason IS 'The provider''s word, exactly; *: any other; empty: none.';
COMMENT ON COLUMN landfall.provider_reason.outcome_class IS 'accepted, or the class of the rejection.';
COMMENT ON COLUMN landfall.provider_reason.token_verdict IS 'The only thing a token rule may look at: keep, suspect, invalidate, invalidate_if_not_reregistered_since_timestamp.';
COMMENT ON COLUMN landfall.provider_reason.retryable IS 'no, after_delay, after_fix, new_connection.';
COMMENT ON COLUMN landfall.provider_reason.source IS 'Where the fact was read.';

CREATE TABLE landfall.provider_answer (
    answer_id     bigint GENERATED ALWAYS AS IDENTITY,
    provider      text NOT NULL,
    status        integer NOT NULL,
    reason        text NOT NULL,
    outcome_class text NOT NULL,
    CONSTRAINT provider_answer_pkey PRIMARY KEY (answer_id),
    CONSTRAINT provider_answer_words_key UNIQUE (provider, status, reason)
);
COMMENT ON TABLE landfall.provider_answer IS 'Interned answers as they came, word for word, those no list knows included.';
COMMENT ON COLUMN landfall.provider_answer.answer_id IS 'What delivery rows refer to.';
COMMENT ON COLUMN landfall.provider_answer.provider IS 'The provider that answered.';
COMMENT ON COLUMN landfall.provider_answer.status IS 'The status as posted; 0: no answer came.';
COMMENT ON COLUMN landfall.provider_answer.reason IS 'The reason as posted; empty without one.';
COMMENT ON COLUMN landfall.provider_answer.outcome_class IS 'How it was classified when it was first seen.';

CREATE TABLE landfall.installation (
    installation_id      bigint GENERATED ALWAYS AS IDENTITY,
    app_id               bigint NOT NULL,
    device_id            uuid NOT NULL,
    platform             text NOT NULL DEFAULT '',
    app_version          text NOT NULL DEFAULT '',
    os_version           text NOT NULL DEFAULT '',
    language             text NOT NULL DEFAULT '',
    time_zone            text NOT NULL DEFAULT '',
    model                text NOT NULL DEFAULT '',
    permission           text NOT NULL DEFAULT '',
    tags                 text[] NOT NULL DEFAULT '{}',
    first_registered_at  timestamptz NOT NULL,
    last_registered_at   timestamptz NOT NULL,
    last_sign_of_life_at timestamptz NOT NULL,
    erased_at            timestamptz,
    CONSTRAINT installation_pkey PRIMARY KEY (app_id, device_id)
);
CREATE INDEX installation_id_idx ON landfall.installation (installation_id);
COMMENT ON TABLE landfall.installation IS 'The app on a device: what owns device tokens over time.';
COMMENT ON COLUMN landfall.installation.installation_id IS 'What rows and tokens refer to.';
COMMENT ON COLUMN landfall.installation.app_id IS 'The app.';
COMMENT ON COLUMN landfall.installation.device_id IS 'The random UUID the app made once.';
COMMENT ON COLUMN landfall.installation.platform IS 'ios, android, web, …; empty when unknown.';
COMMENT ON COLUMN landfall.installation.app_version IS 'As last reported; empty when unknown.';
COMMENT ON COLUMN landfall.installation.os_version IS 'As last reported; empty when unknown.';
COMMENT ON COLUMN landfall.installation.language IS 'As last reported; empty when unknown.';
COMMENT ON COLUMN landfall.installation.time_zone IS 'IANA name as last reported; empty when unknown.';
COMMENT ON COLUMN landfall.installation.model IS 'As last reported; empty when unknown.';
COMMENT ON COLUMN landfall.installation.permission IS 'authorized, provisional, ephemeral, denied, not_determined; empty when unknown.';
COMMENT ON COLUMN landfall.installation.tags IS 'As last reported.';
COMMENT ON COLUMN landfall.installation.first_registered_at IS 'When it registered first.';
COMMENT ON COLUMN landfall.installation.last_registered_at IS 'When it registered last; what it says about itself is from then.';
COMMENT ON COLUMN landfall.installation.last_sign_of_life_at IS 'The last registration, check-in or device event; written at most once a day.';
COMMENT ON COLUMN landfall.installation.erased_at IS 'When its personal columns were erased on request; null otherwise.';

CREATE TABLE landfall.account_binding (
    app_id          bigint NOT NULL,
    installation_id bigint NOT NULL,
    account         text NOT NULL,
    bound_at        timestamptz NOT NULL,
    unbound_at      timestamptz,
    CONSTRAINT account_binding_pkey PRIMARY KEY (installation_id, account, bound_at)
);
CREATE INDEX account_binding_account_idx ON landfall.account_binding (app_id, account);
COMMENT ON TABLE landfall.account_binding IS 'Which account was signed in on which installation, and when.';
COMMENT ON COLUMN landfall.account_binding.app_id IS 'The app.';
COMMENT ON COLUMN landfall.account_binding.installation_id IS 'The installation.';
COMMENT ON COLUMN landfall.account_binding.account IS 'The account as the app names it.';
COMMENT ON COLUMN landfall.account_binding.bound_at IS 'When the account was first seen on it.';
COMMENT ON COLUMN landfall.account_binding.unbound_at IS 'When another account (or none) took its place; null while bound.';

CREATE TABLE landfall.token (
    token_id             bigint GENERATED ALWAYS AS IDENTITY,
    app_id               bigint NOT NULL,
    provider             text NOT NULL,
    environment          text NOT NULL,
    topic                text NOT NULL,
    fingerprint          bytea NOT NULL,
    kind                 text NOT NULL,
    sealed_value         bytea,
    installation_id      bigint,
    state                text NOT NULL,
    cause                text,
    successor_id         bigint,
    first_seen_at        timestamptz NOT NULL,
    last_registered_at   timestamptz,
    last_accepted_at     timestamptz,
    last_sign_of_life_at timestamptz NOT NULL,
    first_refused_at     timestamptz,
    last_refused_at      timestamptz,
    state_changed_at     timestamptz NOT NULL,
    CONSTRAINT token_pkey PRIMARY KEY (fingerprint, app_id, provider, environment, topic),
    CONSTRAINT token_state_check CHECK (state IN ('active', 'suspect', 'stale', 'retired'))
);
CREATE INDEX token_id_idx ON landfall.token (token_id);
CREATE INDEX token_installation_idx ON landfall.token (installation_id) WHERE installation_id IS NOT NULL;
CREATE INDEX token_state_idx ON landfall.token (app_id, state, last_sign_of_life_at);
COMMENT ON TABLE landfall.token IS 'Every device token ever seen, with its state. The value is sealed; the fingerprint finds it.';
COMMENT ON COLUMN landfall.token.token_id IS 'What rows and the ledger refer to.';
COMMENT ON COLUMN landfall.token.app_id IS 'The app.';
COMMENT ON COLUMN landfall.token.provider IS 'apns, fcm, webpush, …';
COMMENT ON COLUMN landfall.token.environment IS 'production or sandbox.';
COMMENT ON COLUMN landfall.token.topic IS 'apns-topic; empty when unknown.';
COMMENT ON COLUMN landfall.token.fingerprint IS 'HMAC-SHA256 of the normalised value under the token key.';
COMMENT ON COLUMN landfall.token.kind IS 'alert, voip, live_activity_start, live_activity_update, web_push, fcm.';
COMMENT ON COLUMN landfall.token.sealed_value IS 'The value under AES-GCM; null once it was swept or erased.';
COMMENT ON COLUMN landfall.token.installation_id IS 'The installation that registered it last; null while only a sender knows it.';
COMMENT ON COLUMN landfall.token.state IS 'active, suspect (do not trust, do not delete), stale (silent too long), retired (do not send).';
COMMENT ON COLUMN landfall.token.cause IS 'The rule that led to a state other than active; null when active.';
COMMENT ON COLUMN landfall.token.successor_id IS 'The token that took its place in the same slot.';
COMMENT ON COLUMN landfall.token.first_seen_at IS 'When it was first registered or named in an answer.';
COMMENT ON COLUMN landfall.token.last_registered_at IS 'When the app last registered it; null when it never did.';
COMMENT ON COLUMN landfall.token.last_accepted_at IS 'Send time of the last accepted push; written at most once a day, but exactly when answers are posted late.';
COMMENT ON COLUMN landfall.token.last_sign_of_life_at IS 'The last registration or device event; written at most once a day.';
COMMENT ON COLUMN landfall.token.first_refused_at IS 'Send time of the first push refused with suspicion since the last acceptance; null without one.';
COMMENT ON COLUMN landfall.token.last_refused_at IS 'Send time of the last such push; null without one.';
COMMENT ON COLUMN landfall.token.state_changed_at IS 'When the state last changed.';

CREATE TABLE landfall.token_slot (
    app_id          bigint NOT NULL,
    installation_id bigint NOT NULL,
    kind            text NOT NULL,
    environment     text NOT NULL,
    topic           text NOT NULL,
    token_id        bigint NOT NULL,
    CONSTRAINT token_slot_pkey PRIMARY KEY (installation_id, kind, environment, topic)
);
CREATE INDEX token_slot_token_idx ON landfall.token_slot (token_id);
COMMENT ON TABLE landfall.token_slot IS 'The one current token of each kind, environment and topic of an installation.';
COMMENT ON COLUMN landfall.token_slot.app_id IS 'The app.';
COMMENT ON COLUMN landfall.token_slot.installation_id IS 'The installation.';
COMMENT ON COLUMN landfall.token_slot.kind IS 'alert, voip, …';
COMMENT ON COLUMN landfall.token_slot.environment IS 'production or sandbox.';
COMMENT ON COLUMN landfall.token_slot.topic IS 'apns-topic; empty when unknown.';
COMMENT ON COLUMN landfall.token_slot.token_id IS 'The token that holds the slot.';

CREATE TABLE landfall.token_transition (
    transition_id bigint GENERATED ALWAYS AS IDENTITY,
    app_id        bigint NOT NULL,
    token_id      bigint NOT NULL,
    at            timestamptz NOT NULL,
    from_state    text,
    to_state      text NOT NULL,
    rule          text NOT NULL,
    evidence      jsonb NOT NULL,
    run_id        bigint,
    CONSTRAINT token_transition_pkey PRIMARY KEY (token_id, transition_id)
);
CREATE INDEX token_transition_feed_idx ON landfall.token_transition (app_id, transition_id);
COMMENT ON TABLE landfall.token_transition IS 'The ledger: every change of a token''s state, and why. Rows are never changed.';
COMMENT ON COLUMN landfall.token_transition.transition_id IS 'Ascending; feeds page by it.';
COMMENT ON COLUMN landfall.token_transition.app_id IS 'The app.';
COMMENT ON COLUMN landfall.token_transition.token_id IS 'The token.';
COMMENT ON COLUMN landfall.token_transition.at IS 'When Landfall decided.';
COMMENT ON COLUMN landfall.token_transition.from_state IS 'Null when the token was not known before.';
COMMENT ON COLUMN landfall.token_transition.to_state IS 'Equal to from_state when a rule decided to change nothing and that is worth knowing.';
COMMENT ON COLUMN landfall.token_transition.rule IS 'The rule that decided.';
COMMENT ON COLUMN landfall.token_transition.evidence IS 'The provider''s words and the times the rule compared, in milliseconds since 1970.';
COMMENT ON COLUMN landfall.token_transition.run_id IS 'The sweep that did it; null otherwise.';

CREATE TABLE landfall.app_sign_of_life (
    app_id   bigint NOT NULL,
    heard_at timestamptz NOT NULL,
    CONSTRAINT app_sign_of_life_pkey PRIMARY KEY (app_id)
);
COMMENT ON TABLE landfall.app_sign_of_life IS 'When any device of an app was last heard from: the sweep must not take broken ears for dead tokens.';
COMMENT ON COLUMN landfall.app_sign_of_life.app_id IS 'The app.';
COMMENT ON COLUMN landfall.app_sign_of_life.heard_at IS 'When the last registration or device event came in; written at most once a minute.';

CREATE TABLE landfall.sweep_run (
    run_id        bigint GENERATED ALWAYS AS IDENTITY,
    app_id        bigint NOT NULL,
    started_at    timestamptz NOT NULL,
    finished_at   timestamptz,
    stale_count   bigint NOT NULL DEFAULT 0,
    retired_count bigint NOT NULL DEFAULT 0,
    CONSTRAINT sweep_run_pkey PRIMARY KEY (run_id)
);
COMMENT ON TABLE landfall.sweep_run IS 'One row per applied sweep.';
COMMENT ON COLUMN landfall.sweep_run.run_id IS 'What the ledger refers to.';
COMMENT ON COLUMN landfall.sweep_run.app_id IS 'The app.';
COMMENT ON COLUMN landfall.sweep_run.started_at IS 'When it began.';
COMMENT ON COLUMN landfall.sweep_run.finished_at IS 'When it ended; null while it runs or when it was interrupted.';
COMMENT ON COLUMN landfall.sweep_run.stale_count IS 'Tokens it made stale.';
COMMENT ON COLUMN landfall.sweep_run.retired_count IS 'Tokens it retired.';

CREATE TABLE landfall.delivery (
    notification_id     uuid NOT NULL,
    sent_at             timestamptz NOT NULL,
    app_id              bigint NOT NULL,
    campaign_id         bigint,
    segment_id          bigint,
    token_id            bigint,
    installation_id     bigint,
    answer_id           bigint,
    state               integer NOT NULL,
    previous_state      integer NOT NULL DEFAULT 0,
    arrived_after_ms    bigint,
    presented_after_ms  bigint,
    clicked_after_ms    bigint,
    dismissed_after_ms  bigint,
    answer_rank         smallint NOT NULL,
    refused_at          timestamptz,
    action              text,
    collapse_id         text,
    CONSTRAINT delivery_pkey PRIMARY KEY (notification_id, app_id, sent_at)
) PARTITION BY RANGE (sent_at);
COMMENT ON TABLE landfall.delivery IS 'One row per notification, in daily partitions by the instant it was sent.';
COMMENT ON COLUMN landfall.delivery.notification_id IS 'The id the sender chose and put into the payload.';
COMMENT ON COLUMN landfall.delivery.sent_at IS 'The timestamp inside a version 7 id, else as posted; see notification_date for events that came without.';
COMMENT ON COLUMN landfall.delivery.app_id IS 'The app.';
COMMENT ON COLUMN landfall.delivery.campaign_id IS 'Null until the provider''s answer is known.';
COMMENT ON COLUMN landfall.delivery.segment_id IS 'Null until the provider''s answer is known.';
COMMENT ON COLUMN landfall.delivery.token_id IS 'The token the push went to; null for channels without tokens.';
COMMENT ON COLUMN landfall.delivery.installation_id IS 'The installation that held the token when the answer was recorded; null when none was registered.';
COMMENT ON COLUMN landfall.delivery.answer_id IS 'The answer that counts, see answer_rank.';
COMMENT ON COLUMN landfall.delivery.state IS 'Bits: 1 attempted, 2 accepted, 4 can report, 8 arrived, 16 presented, 32 clicked, 64 dismissed, 128 recalled, 256 local; from 65536 on one per class of rejection, in order of finality.';
COMMENT ON COLUMN landfall.delivery.previous_state IS 'The state before the last change: what counters add is measure(state) - measure(previous_state).';
COMMENT ON COLUMN landfall.delivery.arrived_after_ms IS 'Milliseconds from sent_at to the first reported arrival; negative when clocks disagree.';
COMMENT ON COLUMN landfall.delivery.presented_after_ms IS 'The same for the presentation.';
COMMENT ON COLUMN landfall.delivery.clicked_after_ms IS 'The same for the click.';
COMMENT ON COLUMN landfall.delivery.dismissed_after_ms IS 'The same for the dismissal.';
COMMENT ON COLUMN landfall.delivery.answer_rank IS '0 accepted, 1 to 10 the class of the rejection by finality, 99 no answer. The lowest one stands.';
COMMENT ON COLUMN landfall.delivery.refused_at IS 'The timestamp of a 410, as the provider gave it.';
COMMENT ON COLUMN landfall.delivery.action IS 'The custom action of the first click; null for the default tap.';
COMMENT ON COLUMN landfall.delivery.collapse_id IS 'apns-collapse-id: a later push with the same one replaces this one.';

-- Makes the partition of one UTC day unless it is there. Several servers may ask at once: the loser of the race finds it.
CREATE FUNCTION landfall.ensure_delivery_partition(day date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    partition_name text := 'delivery_' || to_char(day, 'YYYYMMDD');
BEGIN
    IF to_regclass('landfall.' || partition_name) IS NULL THEN
        -- Attaching waits for no reader; CREATE TABLE … PARTITION OF would wait for all, with every writer behind it.
        EXECUTE format(
            'CREATE TABLE landfall.%I (LIKE landfall.delivery INCLUDING ALL) WITH (fillfactor = 80)', partition_name);
        EXECUTE format(
            'ALTER TABLE landfall.delivery ATTACH PARTITION landfall.%I FOR VALUES FROM (%L) TO (%L)',
            partition_name, day::text || ' 00:00:00+00', (day + 1)::text || ' 00:00:00+00');
    END IF;
EXCEPTION
    WHEN duplicate_table OR unique_violation THEN NULL;
END;
$$;
COMMENT ON FUNCTION landfall.ensure_delivery_partition IS 'Makes the partition of landfall.delivery for one UTC day unless it is there.';

CREATE TABLE landfall.notification_date (
    notification_id uuid NOT NULL,
    app_id          bigint NOT NULL,
    sent_at         timestamptz NOT NULL,
    is_provisional  boolean NOT NULL,
    provisional_at  timestamptz,
    CONSTRAINT notification_date_pkey PRIMARY KEY (notification_id, app_id)
);
COMMENT ON TABLE landfall.notification_date IS 'When notifications were sent whose ids do not say so (any but version 7), so that events without sent_at find their row.';
COMMENT ON COLUMN landfall.notification_date.notification_id IS 'The notification.';
COMMENT ON COLUMN landfall.notification_date.app_id IS 'The app.';
COMMENT ON COLUMN landfall.notification_date.sent_at IS 'The date of the row in delivery.';
COMMENT ON COLUMN landfall.notification_date.is_provisional IS 'No answer has said when it was sent: sent_at is when its first event came in.';
COMMENT ON COLUMN landfall.notification_date.provisional_at IS 'The provisional date the last change replaced; null when it replaced none.';

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
COMMENT ON TABLE landfall.delivery_rollup IS 'Headline counters: for each quarter hour of sent_at and campaign, the sum of each measure over its notifications. Exact at every commit.';
COMMENT ON COLUMN landfall.delivery_rollup.app_id IS 'The app.';
COMMENT ON COLUMN landfall.delivery_rollup.quarter IS 'Start of the quarter hour of sent_at.';
COMMENT ON COLUMN landfall.delivery_rollup.campaign_id IS 'Campaign and variant.';
COMMENT ON COLUMN landfall.delivery_rollup.slot IS 'The writer''s number, so that concurrent writers do not wait for each other; reports sum over slots.';

CREATE TABLE landfall.segment_rollup (
    LIKE landfall.delivery_rollup,
    segment_id bigint NOT NULL,
    CONSTRAINT segment_rollup_pkey PRIMARY KEY (app_id, quarter, campaign_id, segment_id, slot)
) WITH (fillfactor = 70);
COMMENT ON TABLE landfall.segment_rollup IS 'The counters of delivery_rollup split by segment, for breakdowns.';
COMMENT ON COLUMN landfall.segment_rollup.app_id IS 'The app.';
COMMENT ON COLUMN landfall.segment_rollup.quarter IS 'Start of the quarter hour of sent_at.';
COMMENT ON COLUMN landfall.segment_rollup.campaign_id IS 'Campaign and variant.';
COMMENT ON COLUMN landfall.segment_rollup.slot IS 'The writer''s number.';
COMMENT ON COLUMN landfall.segment_rollup.segment_id IS 'What was known about push and target when it was sent.';

-- The measures mean the same in both tables.
DO $$
DECLARE
    rollup text;
BEGIN
    FOREACH rollup IN ARRAY ARRAY['delivery_rollup', 'segment_rollup'] LOOP
        EXECUTE format($comments$
            COMMENT ON COLUMN landfall.%1$I.attempted IS 'A provider answer, or an explicit "no response", is recorded.';
            COMMENT ON COLUMN landfall.%1$I.accepted IS 'The provider answered 2xx. Accepted says nothing about arrival.';
            COMMENT ON COLUMN landfall.%1$I.rejected_token_dead IS 'Rejected, never accepted: the token is dead.';
            COMMENT ON COLUMN landfall.%1$I.rejected_token_suspect IS 'Rejected, never accepted: the token is malformed or of another environment.';
            COMMENT ON COLUMN landfall.%1$I.rejected_wrong_topic IS 'Rejected, never accepted: token and topic do not belong together.';
            COMMENT ON COLUMN landfall.%1$I.rejected_wrong_environment IS 'Rejected, never accepted: credentials of the other environment.';
            COMMENT ON COLUMN landfall.%1$I.rejected_payload_error IS 'Rejected, never accepted: the payload.';
            COMMENT ON COLUMN landfall.%1$I.rejected_request_error IS 'Rejected, never accepted: the request.';
            COMMENT ON COLUMN landfall.%1$I.rejected_auth_error IS 'Rejected, never accepted: the credentials.';
            COMMENT ON COLUMN landfall.%1$I.rejected_throttled IS 'Rejected, never accepted: too many.';
            COMMENT ON COLUMN landfall.%1$I.rejected_provider_error IS 'Rejected, never accepted: the provider''s own trouble.';
            COMMENT ON COLUMN landfall.%1$I.rejected_unknown IS 'Rejected, never accepted: no answer came, or one that no list knows.';
            COMMENT ON COLUMN landfall.%1$I.conflicting IS 'Refused for more than one class of reason, never accepted.';
            COMMENT ON COLUMN landfall.%1$I.reportable IS 'Accepted, and its extension could run.';
            COMMENT ON COLUMN landfall.%1$I.arrived IS 'Accepted, and the extension reported it.';
            COMMENT ON COLUMN landfall.%1$I.arrived_reportable IS 'Arrived and reportable.';
            COMMENT ON COLUMN landfall.%1$I.confirmed IS 'Accepted, and arrived, presented, clicked or dismissed.';
            COMMENT ON COLUMN landfall.%1$I.presented IS 'Accepted, and handed to the app in front.';
            COMMENT ON COLUMN landfall.%1$I.clicked IS 'Accepted, and tapped or acted on.';
            COMMENT ON COLUMN landfall.%1$I.dismissed IS 'Accepted, and explicitly dismissed.';
            COMMENT ON COLUMN landfall.%1$I.confirmed_unreported IS 'Confirmed and reportable, but not arrived: a lost receipt.';
            COMMENT ON COLUMN landfall.%1$I.responded_reportable IS 'Reportable, and presented, clicked or dismissed.';
            COMMENT ON COLUMN landfall.%1$I.contradicted IS 'The device had it although no acceptance is on record.';
            COMMENT ON COLUMN landfall.%1$I.unconfirmed_recalled IS 'Accepted, not confirmed, withdrawn.';
            COMMENT ON COLUMN landfall.%1$I.unconfirmed_not_reportable IS 'Accepted, not confirmed, not withdrawn, not reportable.';
        $comments$, rollup);
    END LOOP;
END;
$$;

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
COMMENT ON COLUMN landfall.unmatched_rollup.slot IS 'The writer''s number.';
COMMENT ON COLUMN landfall.unmatched_rollup.unmatched IS 'No answer on record: not yet posted, or another sender''s.';
COMMENT ON COLUMN landfall.unmatched_rollup.local IS 'Shown by the app itself: no answer is expected.';

CREATE TABLE landfall.quarantined_item (
    item_id     bigint GENERATED ALWAYS AS IDENTITY,
    app_id      bigint NOT NULL,
    received_at timestamptz NOT NULL,
    code        text NOT NULL,
    detail      text NOT NULL,
    sealed_text bytea NOT NULL,
    CONSTRAINT quarantined_item_pkey PRIMARY KEY (app_id, item_id)
);
COMMENT ON TABLE landfall.quarantined_item IS 'Posted items that were rejected, so that nothing posted is ever lost.';
COMMENT ON COLUMN landfall.quarantined_item.item_id IS 'The item.';
COMMENT ON COLUMN landfall.quarantined_item.app_id IS 'The app whose key posted it.';
COMMENT ON COLUMN landfall.quarantined_item.received_at IS 'When it was posted.';
COMMENT ON COLUMN landfall.quarantined_item.code IS 'Why it was rejected.';
COMMENT ON COLUMN landfall.quarantined_item.detail IS 'The same in words; never quotes the item.';
COMMENT ON COLUMN landfall.quarantined_item.sealed_text IS 'The item as posted, under AES-GCM: it may hold a device token.';

CREATE TABLE landfall.setting (
    name  text NOT NULL,
    value bytea NOT NULL,
    CONSTRAINT setting_pkey PRIMARY KEY (name)
);
COMMENT ON TABLE landfall.setting IS 'Facts about this database, such as a check value of the token key.';
COMMENT ON COLUMN landfall.setting.name IS 'token_key_check: HMAC of a fixed text, so that a server with another key refuses to start.';
COMMENT ON COLUMN landfall.setting.value IS 'The value.';
