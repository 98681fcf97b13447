-- Installations, their tokens, and the ledger of the tokens' lives.

CREATE TABLE landfall.installation (
    installation_id bigint GENERATED ALWAYS AS IDENTITY, app_id bigint NOT NULL, device_id uuid NOT NULL,
    platform text DEFAULT '' NOT NULL, app_version text DEFAULT '' NOT NULL,
    os_version text DEFAULT '' NOT NULL, language text DEFAULT '' NOT NULL,
    time_zone text DEFAULT '' NOT NULL, model text DEFAULT '' NOT NULL, permission text DEFAULT '' NOT NULL,
    tags text[] DEFAULT '{}' NOT NULL, claimed_tags text[] DEFAULT '{}' NOT NULL, credential_digest bytea,
    first_registered_at timestamptz NOT NULL, last_registered_at timestamptz NOT NULL,
    last_sign_of_life_at timestamptz NOT NULL, erased_at timestamptz, kit text DEFAULT '' NOT NULL,
    turned_off text[], registration_error text DEFAULT '' NOT NULL, missing_categories text[],
    tokenless_since timestamptz, tokenless_visits integer DEFAULT 0 NOT NULL,
    CONSTRAINT installation_pkey PRIMARY KEY (app_id, device_id)
) WITH (fillfactor = 80);
COMMENT ON TABLE landfall.installation IS 'One app on one device. Installations own device tokens over time.';
COMMENT ON COLUMN landfall.installation.installation_id IS 'Identifies the installation in other tables.';
COMMENT ON COLUMN landfall.installation.device_id IS 'The random UUID that the app created once.';
COMMENT ON COLUMN landfall.installation.platform IS 'ios, android, web, …; empty when unknown.';
COMMENT ON COLUMN landfall.installation.app_version IS 'As last reported; empty when unknown.';
COMMENT ON COLUMN landfall.installation.os_version IS 'As last reported; empty when unknown.';
COMMENT ON COLUMN landfall.installation.language IS 'As last reported; empty when unknown.';
COMMENT ON COLUMN landfall.installation.time_zone IS 'IANA name as last reported; empty when unknown.';
COMMENT ON COLUMN landfall.installation.model IS 'As last reported; empty when unknown.';
COMMENT ON COLUMN landfall.installation.permission IS 'authorized, provisional, ephemeral, denied, not_determined; empty when unknown.';
COMMENT ON COLUMN landfall.installation.tags IS 'As last reported by a server, or by the device with a proof of the app''s backend. GET /v1/tokens finds installations by them.';
COMMENT ON COLUMN landfall.installation.claimed_tags IS 'As last reported by the device without a proof. Shown, but never used to find installations.';
COMMENT ON COLUMN landfall.installation.credential_digest IS 'SHA-256 of the credential that the device got when it claimed the installation; null until then.';
COMMENT ON COLUMN landfall.installation.first_registered_at IS 'When it first registered.';
COMMENT ON COLUMN landfall.installation.last_registered_at IS 'When it last registered. Its reported traits date from then.';
COMMENT ON COLUMN landfall.installation.last_sign_of_life_at IS 'The last registration, check-in or device event; updated at most once a day.';
COMMENT ON COLUMN landfall.installation.erased_at IS 'When its personal columns were erased on request; null if they were not.';
COMMENT ON COLUMN landfall.installation.kit IS 'The version of the device kit, as last reported; empty without one.';
COMMENT ON COLUMN landfall.installation.turned_off IS 'What the user turned off, as last reported: alert, sound, badge, lock_screen, notification_center. Null when unknown.';
COMMENT ON COLUMN landfall.installation.registration_error IS 'Why the system gave the app no token, at its last registration; empty if it gave one.';
COMMENT ON COLUMN landfall.installation.missing_categories IS 'Categories of notifications that the app has not registered with the system, as last reported; null when unknown.';
COMMENT ON COLUMN landfall.installation.tokenless_since IS 'The first of its registrations that said that it has no token, since the last one with a token and the last device event; null if there is none.';
COMMENT ON COLUMN landfall.installation.tokenless_visits IS 'The number of UTC days with such registrations.';
CREATE INDEX installation_id_idx ON landfall.installation (installation_id);
-- Which kits do the versions of an app contain? Few distinct values of many rows, which a loose scan finds.
CREATE INDEX installation_kit_idx ON landfall.installation (app_id, app_version, kit, platform) WHERE (kit <> ''::text);
CREATE INDEX installation_missing_categories_idx ON landfall.installation (app_id, last_registered_at) WHERE (missing_categories IS NOT NULL);

CREATE TABLE landfall.account_binding (
    app_id bigint NOT NULL, installation_id bigint NOT NULL, account text NOT NULL,
    is_verified boolean NOT NULL, bound_at timestamptz NOT NULL, unbound_at timestamptz,
    CONSTRAINT account_binding_pkey PRIMARY KEY (installation_id, account, bound_at)
);
COMMENT ON TABLE landfall.account_binding IS 'Which account was signed in on which installation, and when.';
COMMENT ON COLUMN landfall.account_binding.account IS 'The account as the app names it.';
COMMENT ON COLUMN landfall.account_binding.is_verified IS 'Whether a server said so, or the device with a proof of the app''s backend. If not, the device only claims it, and GET /v1/tokens does not find it by the account.';
COMMENT ON COLUMN landfall.account_binding.bound_at IS 'When the account was first seen on the installation.';
COMMENT ON COLUMN landfall.account_binding.unbound_at IS 'When another account, or none, replaced it; null while bound.';
CREATE INDEX account_binding_account_idx ON landfall.account_binding (app_id, account);
-- For landfall doctor: the accounts that signed in recently.
CREATE INDEX account_binding_bound_idx ON landfall.account_binding (app_id, bound_at);

CREATE TABLE landfall.permission_period (
    app_id bigint NOT NULL, installation_id bigint NOT NULL, permission text NOT NULL,
    started_at timestamptz NOT NULL, ended_at timestamptz,
    CONSTRAINT permission_period_pkey PRIMARY KEY (app_id, installation_id, started_at)
);
COMMENT ON TABLE landfall.permission_period IS 'The permission that an installation reported, with the time it started and ended. Removed when the installation is erased.';
COMMENT ON COLUMN landfall.permission_period.permission IS 'authorized, provisional, ephemeral, denied, not_determined.';
COMMENT ON COLUMN landfall.permission_period.started_at IS 'The first registration with this permission. For a permission from before periods were kept: the last registration before that.';
COMMENT ON COLUMN landfall.permission_period.ended_at IS 'The first registration with another permission; null while this one holds.';

CREATE TABLE landfall.app_sign_of_life (
    app_id bigint NOT NULL, heard_at timestamptz NOT NULL,
    CONSTRAINT app_sign_of_life_pkey PRIMARY KEY (app_id)
);
COMMENT ON TABLE landfall.app_sign_of_life IS 'When an app last heard from any device. The sweep reads it, so that tokens do not become stale because device events cannot get through.';
COMMENT ON COLUMN landfall.app_sign_of_life.heard_at IS 'When the last registration or device event came in; updated at most once a minute.';

CREATE TABLE landfall.registration_failure (
    app_id bigint NOT NULL, day timestamptz NOT NULL, installation_id bigint NOT NULL,
    failed_at timestamptz NOT NULL,
    CONSTRAINT registration_failure_pkey PRIMARY KEY (app_id, day, installation_id)
);
COMMENT ON TABLE landfall.registration_failure IS 'Installations that reported that the system gave them no token, at most once per UTC day each.';
COMMENT ON COLUMN landfall.registration_failure.day IS 'The start of the UTC day.';
COMMENT ON COLUMN landfall.registration_failure.failed_at IS 'The first registration of the day that said so.';

CREATE TABLE landfall.token (
    token_id bigint GENERATED ALWAYS AS IDENTITY, app_id bigint NOT NULL, provider text NOT NULL,
    environment text NOT NULL, topic text NOT NULL, fingerprint bytea NOT NULL, kind text NOT NULL,
    sealed_value bytea, installation_id bigint, state text NOT NULL, cause text, successor_id bigint,
    first_seen_at timestamptz NOT NULL, last_registered_at timestamptz, last_accepted_at timestamptz,
    last_sign_of_life_at timestamptz NOT NULL, first_rejected_at timestamptz, last_rejected_at timestamptz,
    state_changed_at timestamptz NOT NULL, died_at timestamptz, expires_at timestamptz,
    platform text DEFAULT '' NOT NULL, app_version text DEFAULT '' NOT NULL,
    os_version text DEFAULT '' NOT NULL, language text DEFAULT '' NOT NULL,
    permission text DEFAULT '' NOT NULL, is_vouched boolean DEFAULT false NOT NULL, returned_at timestamptz,
    first_ignored_at timestamptz, ignored_count bigint DEFAULT 0 NOT NULL,
    is_unproven boolean DEFAULT false NOT NULL, sealed_keys bytea,
    CONSTRAINT token_pkey PRIMARY KEY (fingerprint, app_id, provider, environment, topic),
    CONSTRAINT token_state_check CHECK (state IN ('active', 'suspect', 'stale', 'retired'))
) WITH (fillfactor = 70);
COMMENT ON TABLE landfall.token IS 'Every device token ever seen, with its state. The value is sealed; the fingerprint finds it.';
COMMENT ON COLUMN landfall.token.token_id IS 'Identifies the token in other tables and in the ledger.';
COMMENT ON COLUMN landfall.token.provider IS 'The issuer: apns, fcm, webpush, …';
COMMENT ON COLUMN landfall.token.fingerprint IS 'HMAC-SHA256 of the canonical value under the token key: the same for every spelling of one token.';
COMMENT ON COLUMN landfall.token.kind IS 'alert, voip, live_activity_update, web_push, fcm, expo, …';
COMMENT ON COLUMN landfall.token.sealed_value IS 'The value under AES-GCM; null once the token was swept or erased.';
COMMENT ON COLUMN landfall.token.installation_id IS 'The installation that last registered the token; null while only a sender knows it.';
COMMENT ON COLUMN landfall.token.state IS 'active, suspect (do not trust, do not delete), stale (silent too long), retired (do not send).';
COMMENT ON COLUMN landfall.token.cause IS 'The rule that led to the state; null when active.';
COMMENT ON COLUMN landfall.token.successor_id IS 'The token that replaced it in the same slot.';
COMMENT ON COLUMN landfall.token.first_seen_at IS 'When it was first registered or named in a response.';
COMMENT ON COLUMN landfall.token.last_registered_at IS 'When the app last registered it; null if it never did.';
COMMENT ON COLUMN landfall.token.last_accepted_at IS 'Send time of the last accepted push. Updated at most once a day, except that responses posted late always update it.';
COMMENT ON COLUMN landfall.token.last_sign_of_life_at IS 'The last registration or device event; updated at most once a day.';
COMMENT ON COLUMN landfall.token.first_rejected_at IS 'Send time of the first push since the last acceptance whose rejection raised suspicion; null if there is none.';
COMMENT ON COLUMN landfall.token.last_rejected_at IS 'Send time of the last such push; null if there is none.';
COMMENT ON COLUMN landfall.token.state_changed_at IS 'When the state last changed.';
COMMENT ON COLUMN landfall.token.died_at IS 'When it died according to a provider: the provider''s timestamp, or else the send time of the rejected push; may be up to a day old. Null if no provider has said so since the last registration. A registration dated before it does not revive the token.';
COMMENT ON COLUMN landfall.token.expires_at IS 'When the value stops working according to the app, as for Live Activities; null for most tokens. Each registration sets it anew.';
COMMENT ON COLUMN landfall.token.platform IS 'The installation''s platform, copied by registrations; empty when unknown.';
COMMENT ON COLUMN landfall.token.app_version IS 'The installation''s app version, copied by registrations; empty when unknown.';
COMMENT ON COLUMN landfall.token.os_version IS 'The installation''s OS version, copied by registrations; empty when unknown.';
COMMENT ON COLUMN landfall.token.language IS 'The installation''s language, copied by registrations; empty when unknown.';
COMMENT ON COLUMN landfall.token.permission IS 'The installation''s permission, copied by registrations; empty when unknown.';
COMMENT ON COLUMN landfall.token.is_vouched IS 'Whether a server key or an import registered it; otherwise only the public device key did, or only responses name it.';
COMMENT ON COLUMN landfall.token.returned_at IS 'When its installation last registered it although another value had replaced it in its slot; null if it never did.';
COMMENT ON COLUMN landfall.token.first_ignored_at IS 'Send time of the first push since the last acceptance that was sent after the registration and whose 410 was ignored, because it dates the death before it; null if there is none.';
COMMENT ON COLUMN landfall.token.ignored_count IS 'The number of such pushes.';
COMMENT ON COLUMN landfall.token.is_unproven IS 'Whether a device registered it beyond what is believed without a proof. Then no feed contains it until a push to it was accepted, or its installation is proven.';
COMMENT ON COLUMN landfall.token.sealed_keys IS 'The keys of a Web Push subscription (p256dh and auth) under AES-GCM; null if none were registered, and once the value was swept or erased.';
CREATE INDEX token_expiry_idx ON landfall.token (app_id, expires_at) WHERE ((expires_at IS NOT NULL) AND (state <> 'retired'::text));
-- Every response looks up its token by the fingerprint. The primary key compares 32 bytes and four more
-- columns on each level; a hash index finds the row in one step.
CREATE INDEX token_fingerprint_idx ON landfall.token USING hash (fingerprint);
COMMENT ON INDEX landfall.token_fingerprint_idx IS 'Finds the tokens that responses and registrations name, whatever their topic.';
-- The tokens that an open breaker holds back: a small part of the table.
CREATE INDEX token_held_idx ON landfall.token (app_id, environment, topic, token_id) WHERE (cause = 'breaker'::text);
CREATE INDEX token_id_idx ON landfall.token (token_id);
CREATE INDEX token_installation_idx ON landfall.token (installation_id) WHERE (installation_id IS NOT NULL);
-- No index contains a column that ingestion updates often, or updates could not stay on their page (HOT). The
-- state comes first, so the planner does not use this index to look up one token. GET /v1/tokens pages by it.
CREATE INDEX token_state_idx ON landfall.token (state, app_id, token_id);
-- For landfall doctor: tokens that are in no feed.
CREATE INDEX token_unproven_idx ON landfall.token (app_id) WHERE is_unproven;
-- For landfall doctor: devices that alternate between values, a small part of the table.
CREATE INDEX token_returned_idx ON landfall.token (app_id, returned_at) WHERE (returned_at IS NOT NULL);

CREATE TABLE landfall.token_slot (
    app_id bigint NOT NULL, installation_id bigint NOT NULL, kind text NOT NULL, environment text NOT NULL,
    topic text NOT NULL, token_id bigint NOT NULL,
    CONSTRAINT token_slot_pkey PRIMARY KEY (installation_id, kind, environment, topic, token_id)
);
COMMENT ON TABLE landfall.token_slot IS 'The current tokens of each kind, environment and topic of an installation: one, or those that its last registration listed together.';
COMMENT ON COLUMN landfall.token_slot.kind IS 'alert, voip, …; fcm also for tokens of kind fid, which follow those of kind fcm.';
COMMENT ON COLUMN landfall.token_slot.token_id IS 'A token in the slot.';
CREATE INDEX token_slot_token_idx ON landfall.token_slot (token_id);

CREATE TABLE landfall.token_other_address (
    app_id bigint NOT NULL, token_id bigint NOT NULL, provider text NOT NULL, environment text NOT NULL,
    topic text NOT NULL, last_said_at timestamptz NOT NULL, response_count bigint NOT NULL,
    last_accepted_at timestamptz, last_rejected_at timestamptz, last_status integer NOT NULL,
    last_reason text NOT NULL,
    CONSTRAINT token_other_address_pkey PRIMARY KEY (token_id, provider, environment, topic)
) WITH (fillfactor = 70);
COMMENT ON TABLE landfall.token_other_address IS 'What responses said about registered tokens under another provider, environment or topic than the registered one.';
COMMENT ON COLUMN landfall.token_other_address.token_id IS 'The registered token with the value that the responses name.';
COMMENT ON COLUMN landfall.token_other_address.provider IS 'The issuer that the responses name.';
COMMENT ON COLUMN landfall.token_other_address.environment IS 'production or sandbox, as the responses say.';
COMMENT ON COLUMN landfall.token_other_address.topic IS 'The topic that the responses name; empty if they name none and several registered tokens have the value.';
COMMENT ON COLUMN landfall.token_other_address.last_said_at IS 'When the last such response was recorded.';
COMMENT ON COLUMN landfall.token_other_address.response_count IS 'The number of such responses.';
COMMENT ON COLUMN landfall.token_other_address.last_accepted_at IS 'Send time of the last push that was accepted there; null if none was.';
COMMENT ON COLUMN landfall.token_other_address.last_rejected_at IS 'Send time of the last push that was rejected there; null if none was.';
COMMENT ON COLUMN landfall.token_other_address.last_status IS 'The status of the last such response.';
COMMENT ON COLUMN landfall.token_other_address.last_reason IS 'The reason of the last such response; empty without one.';
-- For landfall doctor: the recent ones of an app.
CREATE INDEX token_other_address_said_idx ON landfall.token_other_address (app_id, last_said_at);

-- Parameters: a statement receives all its rows as one array.
CREATE TYPE landfall.token_change AS (
    token_id bigint, state_before text, registered_before timestamptz, accepted_before timestamptz,
    first_rejected_before timestamptz, last_rejected_before timestamptz, died_before timestamptz,
    ignored_before bigint, state text, cause text, last_accepted_at timestamptz,
    first_rejected_at timestamptz, last_rejected_at timestamptz, died_at timestamptz,
    first_ignored_at timestamptz, ignored_count bigint
);
COMMENT ON TYPE landfall.token_change IS 'A token as the token rules read it, and its new values.';

-- Added to the numbers of transactions. It rises when the rows come to another cluster, whose numbers start
-- over.
CREATE SEQUENCE landfall.ledger_offset AS bigint;
GRANT SELECT ON SEQUENCE landfall.ledger_offset TO PUBLIC;

CREATE TABLE landfall.token_transition (
    transition_id bigint GENERATED ALWAYS AS IDENTITY, app_id bigint NOT NULL, token_id bigint NOT NULL,
    at timestamptz NOT NULL, from_state text, to_state text NOT NULL, rule text NOT NULL,
    evidence jsonb NOT NULL, run_id bigint,
    written_by bigint DEFAULT pg_current_xact_id()::text::bigint
        + coalesce(pg_sequence_last_value('landfall.ledger_offset'), 0) NOT NULL,
    CONSTRAINT token_transition_pkey PRIMARY KEY (token_id, transition_id)
);
COMMENT ON TABLE landfall.token_transition IS 'The ledger: every change of a token''s state, with the reason. Rows are never changed.';
COMMENT ON COLUMN landfall.token_transition.transition_id IS 'Identifies the row; the cursor that a reader of the feed stores. It is not the order of the feed, see written_by.';
COMMENT ON COLUMN landfall.token_transition.token_id IS 'The token.';
COMMENT ON COLUMN landfall.token_transition.at IS 'When Landfall decided.';
COMMENT ON COLUMN landfall.token_transition.from_state IS 'The state before; null if the token was not known.';
COMMENT ON COLUMN landfall.token_transition.to_state IS 'The state after. Equal to from_state if a rule decided to change nothing and the decision is worth keeping.';
COMMENT ON COLUMN landfall.token_transition.rule IS 'The rule that decided.';
COMMENT ON COLUMN landfall.token_transition.evidence IS 'The provider''s words and the times that the rule compared, in milliseconds since 1970.';
COMMENT ON COLUMN landfall.token_transition.run_id IS 'The token run that wrote it; null for events and registrations.';
COMMENT ON COLUMN landfall.token_transition.written_by IS 'The number of the transaction that wrote the row, plus ledger_offset at that time, less 2^48 for each time that the app moved to another cell. Feeds are ordered by (written_by, transition_id) and stop before the oldest transaction that is still writing, so that no row appears at a place a reader has passed.';
-- The ledger is in order of time, so a few pages of block summaries find the rows since an instant.
CREATE INDEX token_transition_at_idx ON landfall.token_transition USING brin (at);
CREATE INDEX token_transition_feed_idx ON landfall.token_transition (app_id, transition_id);
-- An identity value is assigned long before its row becomes visible, so rows become visible out of order. No
-- new row can appear below the oldest transaction that is still writing (written_by): feeds read up to there.
CREATE INDEX token_transition_order_idx ON landfall.token_transition (app_id, written_by, transition_id);

CREATE FUNCTION landfall.foreign_transition() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    highest bigint;
BEGIN
    SELECT max(newest.written_by) INTO highest
      FROM landfall.app
     CROSS JOIN LATERAL (
          SELECT transition.written_by FROM landfall.token_transition AS transition
          WHERE transition.app_id = app.app_id
          ORDER BY transition.written_by DESC, transition.transition_id DESC LIMIT 1) AS newest;
    -- No transaction that a snapshot can see has a number at or above its xmax; all that begin later have.
    RETURN CASE WHEN highest >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint
                                + coalesce(pg_sequence_last_value('landfall.ledger_offset'), 0) THEN highest END;
END;
$$;
COMMENT ON FUNCTION landfall.foreign_transition IS 'The highest written_by, if transactions that begin from now on could precede it, as in a database restored from another cluster''s dump; else null.';

-- It may set the sequence, which programs may only read. Any role may call it, so it locks nothing unless
-- there is something to do, and the role may write.
CREATE FUNCTION landfall.adopt_transitions() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF landfall.foreign_transition() IS NULL THEN
        RETURN;
    END IF;
    IF NOT has_table_privilege(session_user, 'landfall.token_transition', 'INSERT') THEN
        RAISE EXCEPTION 'permission denied for table token_transition' USING ERRCODE = 'insufficient_privilege';
    END IF;
    -- Writers wait: a row that became visible meanwhile would come after rows that it preceded.
    LOCK TABLE landfall.token_transition IN SHARE ROW EXCLUSIVE MODE;
    -- Another program may have adopted them meanwhile: setval(…, NULL) does nothing.
    PERFORM setval('landfall.ledger_offset', landfall.foreign_transition());
END;
$$;
ALTER FUNCTION landfall.adopt_transitions SECURITY DEFINER SET search_path = pg_catalog, pg_temp;
COMMENT ON FUNCTION landfall.adopt_transitions IS 'If the ledger has rows of another cluster: numbers the transactions from now on above all rows.';

-- Imports, registrations with registered_at and late responses count on the day of the registration or the
-- push, not on the day of the decision (docs/decisions/0034).
CREATE FUNCTION landfall.transition_time(rule text, evidence jsonb, decided_at timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN least(
    decided_at,
    to_timestamp(
        CASE WHEN rule IN ('registered', 'revived', 'transferred', 'rotated', 'provider_migration')
             THEN (evidence ->> 'registered_at')::bigint
             ELSE (evidence ->> 'sent_at')::bigint END / 1000.0));
COMMENT ON FUNCTION landfall.transition_time IS 'The instant that a row of token_transition counts at: the registration, or the sending of the push that a provider responded to. Landfall''s own decisions count at the time of the decision.';

CREATE TABLE landfall.token_breaker (
    app_id bigint NOT NULL, environment text NOT NULL, topic text NOT NULL, opened_at timestamptz,
    decided_minute timestamptz, decided_attempted bigint DEFAULT 0 NOT NULL,
    decided_retired bigint DEFAULT 0 NOT NULL,
    CONSTRAINT token_breaker_pkey PRIMARY KEY (app_id, environment, topic)
) WITH (fillfactor = 50);
COMMENT ON TABLE landfall.token_breaker IS 'The breakers against mass retirement. A batch that would retire tokens because of responses locks the row first, so that the limit holds for any number of writers.';
COMMENT ON COLUMN landfall.token_breaker.topic IS 'The topic of the tokens; empty when unknown.';
COMMENT ON COLUMN landfall.token_breaker.opened_at IS 'When the breaker opened; null while it is closed. While it is open, responses retire no token. A person closes it.';
COMMENT ON COLUMN landfall.token_breaker.decided_minute IS 'The minute, UTC, in which a person last closed the breaker; earlier counts no longer matter. Null if never.';
COMMENT ON COLUMN landfall.token_breaker.decided_attempted IS 'The count of attempted tokens in that minute at the decision, which no longer matters either.';
COMMENT ON COLUMN landfall.token_breaker.decided_retired IS 'The count of retired tokens in that minute at the decision, which no longer matters either.';

CREATE TABLE landfall.token_breaker_minute (
    app_id bigint NOT NULL, environment text NOT NULL, topic text NOT NULL, shard smallint NOT NULL,
    place smallint NOT NULL, minute timestamptz NOT NULL, attempted bigint NOT NULL, retired bigint NOT NULL,
    CONSTRAINT token_breaker_minute_pkey PRIMARY KEY (app_id, environment, topic, shard, place)
) WITH (fillfactor = 50);
COMMENT ON TABLE landfall.token_breaker_minute IS 'The counts of breakers by the minute in which responses were written. A ring: each minute overwrites the one 16 minutes earlier.';
COMMENT ON COLUMN landfall.token_breaker_minute.environment IS 'As in token_breaker.';
COMMENT ON COLUMN landfall.token_breaker_minute.topic IS 'As in token_breaker.';
COMMENT ON COLUMN landfall.token_breaker_minute.shard IS 'The writer''s number, so that concurrent writers do not wait for each other. Breakers use the sum over shards.';
COMMENT ON COLUMN landfall.token_breaker_minute.place IS 'The minute modulo 16.';
COMMENT ON COLUMN landfall.token_breaker_minute.minute IS 'The start of the minute, UTC, by the server''s clock.';
COMMENT ON COLUMN landfall.token_breaker_minute.attempted IS 'Tokens that a push was accepted for before, or that a server key or an import registered, and that responses to pushes of the last 24 hours named, each counted once per batch.';
COMMENT ON COLUMN landfall.token_breaker_minute.retired IS 'Tokens among these that responses retired or made suspect.';

CREATE TABLE landfall.token_run (
    run_id bigint GENERATED ALWAYS AS IDENTITY, app_id bigint NOT NULL, started_at timestamptz NOT NULL,
    finished_at timestamptz, stale_count bigint DEFAULT 0 NOT NULL, retired_count bigint DEFAULT 0 NOT NULL,
    action text DEFAULT 'sweep' NOT NULL, changed_count bigint DEFAULT 0 NOT NULL,
    CONSTRAINT token_run_pkey PRIMARY KEY (run_id),
    CONSTRAINT token_run_action_check CHECK (action IN ('sweep', 'release', 'confirm', 'restore'))
);
COMMENT ON TABLE landfall.token_run IS 'One row per token run: an applied sweep, release, confirmation or restoration.';
COMMENT ON COLUMN landfall.token_run.run_id IS 'Identifies the run in the ledger.';
COMMENT ON COLUMN landfall.token_run.started_at IS 'When it started.';
COMMENT ON COLUMN landfall.token_run.finished_at IS 'When it finished; null while it is running, or if it was interrupted.';
COMMENT ON COLUMN landfall.token_run.stale_count IS 'Tokens it made stale.';
COMMENT ON COLUMN landfall.token_run.retired_count IS 'Tokens it retired.';
COMMENT ON COLUMN landfall.token_run.action IS 'sweep, release, confirm or restore.';
COMMENT ON COLUMN landfall.token_run.changed_count IS 'Tokens that a run other than a sweep changed.';

CREATE TABLE landfall.erasure_receipt (
    receipt_id uuid NOT NULL, app_id bigint NOT NULL, installation_id bigint NOT NULL,
    erased_at timestamptz NOT NULL, token_count bigint NOT NULL, value_count bigint NOT NULL,
    account_binding_count bigint NOT NULL, permission_period_count bigint NOT NULL, tag_count bigint NOT NULL,
    CONSTRAINT erasure_receipt_pkey PRIMARY KEY (app_id, installation_id),
    CONSTRAINT erasure_receipt_id_key UNIQUE (app_id, receipt_id)
);
COMMENT ON TABLE landfall.erasure_receipt IS 'One row per erased installation: proof of what was erased, without any of the erased data.';
COMMENT ON COLUMN landfall.erasure_receipt.receipt_id IS 'A random id, given to the person who asked for the erasure.';
COMMENT ON COLUMN landfall.erasure_receipt.installation_id IS 'The installation, of which only a tombstone is left.';
COMMENT ON COLUMN landfall.erasure_receipt.erased_at IS 'When it was erased.';
COMMENT ON COLUMN landfall.erasure_receipt.token_count IS 'Device tokens of the installation; all are retired now.';
COMMENT ON COLUMN landfall.erasure_receipt.value_count IS 'Sealed values of these tokens that were erased.';
COMMENT ON COLUMN landfall.erasure_receipt.account_binding_count IS 'Account bindings that were deleted.';
COMMENT ON COLUMN landfall.erasure_receipt.permission_period_count IS 'Permission periods that were deleted.';
COMMENT ON COLUMN landfall.erasure_receipt.tag_count IS 'Tags that were deleted.';

CREATE TABLE landfall.audience_count (
    app_id bigint NOT NULL, audience bigint NOT NULL, counted_at timestamptz NOT NULL,
    CONSTRAINT audience_count_pkey PRIMARY KEY (app_id)
);
COMMENT ON TABLE landfall.audience_count IS 'The audience as maintenance last counted it, for reports that use sketches: counting it would take longer than the rest of the report.';
COMMENT ON COLUMN landfall.audience_count.audience IS 'Installations that could be shown a notification.';
COMMENT ON COLUMN landfall.audience_count.counted_at IS 'When they were counted.';
