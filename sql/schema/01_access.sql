-- Apps, their API keys, and settings of the database.
--
-- Conventions of the whole schema: ids are bigint, instants are timestamptz in UTC. Anything a client can
-- name (a notification, a device, a token) is found by its app and that name, so no key reaches another app's
-- row. The schema works on plain PostgreSQL 15 and on Citus: no foreign keys, no triggers (except on days
-- that are being packed or archived, on plain PostgreSQL), and every unique key of a table that could be
-- distributed contains its distribution column (docs/decisions/0004). The files are applied in order of their
-- names, in one transaction.

CREATE TABLE landfall.app (
    app_id bigint GENERATED ALWAYS AS IDENTITY, slug text NOT NULL, settings jsonb DEFAULT '{}' NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT app_pkey PRIMARY KEY (app_id),
    CONSTRAINT app_slug_key UNIQUE (slug),
    CONSTRAINT app_slug_check CHECK (slug ~ '^[a-z0-9][a-z0-9._-]{0,62}$')
);
COMMENT ON TABLE landfall.app IS 'One row per app (tenant). Every other row belongs to an app.';
COMMENT ON COLUMN landfall.app.app_id IS 'Identifies the app. It is part of every key by which a client finds a row.';
COMMENT ON COLUMN landfall.app.slug IS 'The name on the command line: --app shop.';
COMMENT ON COLUMN landfall.app.settings IS 'Settings that differ from the defaults: stale_after_days, sweep_after_days, breaker_minimum, breaker_share, device_quota, providers, cors_origins, accounts, credentials, receipts.';
COMMENT ON COLUMN landfall.app.created_at IS 'When the app was created.';

CREATE TABLE landfall.api_key (
    api_key_id bigint GENERATED ALWAYS AS IDENTITY, app_id bigint NOT NULL, kind text NOT NULL,
    digest bytea NOT NULL, prefix text NOT NULL, created_at timestamptz NOT NULL, revoked_at timestamptz,
    sealed_key bytea,
    CONSTRAINT api_key_pkey PRIMARY KEY (api_key_id),
    CONSTRAINT api_key_digest_key UNIQUE (digest),
    CONSTRAINT api_key_kind_check CHECK (kind IN ('server', 'device', 'report', 'account', 'receipt')),
    CONSTRAINT api_key_sealed_check CHECK ((kind IN ('account', 'receipt')) = (sealed_key IS NOT NULL))
);
COMMENT ON TABLE landfall.api_key IS 'Bearer keys, of which only a digest is stored, and signing keys, which are sealed.';
COMMENT ON COLUMN landfall.api_key.api_key_id IS 'Shown in logs instead of the key.';
COMMENT ON COLUMN landfall.api_key.app_id IS 'The app that the key belongs to.';
COMMENT ON COLUMN landfall.api_key.kind IS 'server: all ingestion; device: device events and registration; report: reports. Signing keys, which open no route: account: proofs of accounts; receipt: receipts in payloads.';
COMMENT ON COLUMN landfall.api_key.digest IS 'SHA-256 of the whole key.';
COMMENT ON COLUMN landfall.api_key.prefix IS 'The first characters of the key, enough to tell keys apart.';
COMMENT ON COLUMN landfall.api_key.created_at IS 'When the key was created.';
COMMENT ON COLUMN landfall.api_key.revoked_at IS 'When the key was revoked; null while it is valid.';
COMMENT ON COLUMN landfall.api_key.sealed_key IS 'A signing key under AES-GCM, because checking a signature needs it; null for bearer keys.';

CREATE TABLE landfall.setting (
    name text NOT NULL, value bytea NOT NULL,
    CONSTRAINT setting_pkey PRIMARY KEY (name)
);
COMMENT ON TABLE landfall.setting IS 'Facts about this database, such as a check value of the token key.';
COMMENT ON COLUMN landfall.setting.name IS 'The name of the fact, e.g. token_key_check: an HMAC of a fixed text, so that a server with another key refuses to start.';
COMMENT ON COLUMN landfall.setting.value IS 'The value.';
