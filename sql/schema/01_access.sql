-- Apps, their API keys, settings of the database, and what tells cells apart.
--
-- Conventions of the whole schema: ids are bigint, instants are timestamptz in UTC. Anything a client can
-- name (a notification, a device, a token) is found by its app and that name, so no key reaches another app's
-- row. The schema works on plain PostgreSQL 15 and on Citus: no foreign keys, no triggers (except on days
-- that are being packed or archived, on plain PostgreSQL), and every unique key of a table that could be
-- distributed contains its distribution column (docs/decisions/0004). The files are applied in order of their
-- names, in one transaction.

CREATE TABLE landfall.app (
    app_id bigint GENERATED ALWAYS AS IDENTITY, slug text NOT NULL, settings jsonb DEFAULT '{}' NOT NULL,
    created_at timestamptz NOT NULL, generation integer DEFAULT 0 NOT NULL,
    CONSTRAINT app_pkey PRIMARY KEY (app_id),
    CONSTRAINT app_slug_key UNIQUE (slug),
    CONSTRAINT app_slug_check CHECK (slug ~ '^[a-z0-9][a-z0-9._-]{0,62}$')
);
COMMENT ON TABLE landfall.app IS 'One row per app (tenant). Every other row belongs to an app.';
COMMENT ON COLUMN landfall.app.app_id IS 'Identifies the app. It is part of every key by which a client finds a row.';
COMMENT ON COLUMN landfall.app.slug IS 'The name on the command line: --app shop.';
COMMENT ON COLUMN landfall.app.settings IS 'Settings that differ from the defaults: stale_after_days, sweep_after_days, breaker_minimum, breaker_share, device_quota, providers, cors_origins, accounts, credentials, receipts.';
COMMENT ON COLUMN landfall.app.created_at IS 'When the app was created.';
COMMENT ON COLUMN landfall.app.generation IS 'How often the app has moved to another cell. Of two copies, such as one in a restored backup, the higher one is the app, which no move removes.';

CREATE TABLE landfall.api_key (
    api_key_id bigint GENERATED ALWAYS AS IDENTITY, app_id bigint NOT NULL, kind text NOT NULL,
    digest bytea NOT NULL, prefix text NOT NULL, created_at timestamptz NOT NULL, revoked_at timestamptz,
    sealed_key bytea,
    CONSTRAINT api_key_pkey PRIMARY KEY (api_key_id),
    CONSTRAINT api_key_digest_key UNIQUE (digest),
    CONSTRAINT api_key_kind_check CHECK (kind IN ('server', 'device', 'report', 'hook', 'account', 'receipt', 'intake')),
    CONSTRAINT api_key_sealed_check CHECK ((kind IN ('account', 'receipt', 'intake')) = (sealed_key IS NOT NULL))
);
COMMENT ON TABLE landfall.api_key IS 'Bearer keys, of which only a digest is stored, and signing keys, which are sealed.';
COMMENT ON COLUMN landfall.api_key.api_key_id IS 'Shown in logs instead of the key.';
COMMENT ON COLUMN landfall.api_key.app_id IS 'The app that the key belongs to.';
COMMENT ON COLUMN landfall.api_key.kind IS 'server: all ingestion; device: device events and registration; report: reports; hook: what the hooks of other senders post. Signing keys, which open no route: account: proofs of accounts; receipt: receipts in payloads; intake: the secret with which another sender signs its posts.';
COMMENT ON COLUMN landfall.api_key.digest IS 'SHA-256 of the whole key; random for an intake secret, which may be short enough to guess.';
COMMENT ON COLUMN landfall.api_key.prefix IS 'The first characters of the key, enough to tell keys apart; the name of the preset for an intake secret.';
COMMENT ON COLUMN landfall.api_key.created_at IS 'When the key was created.';
COMMENT ON COLUMN landfall.api_key.revoked_at IS 'When the key was revoked; null while it is valid.';
COMMENT ON COLUMN landfall.api_key.sealed_key IS 'A signing key under AES-GCM, because checking a signature needs it; null for bearer keys.';

CREATE TABLE landfall.setting (
    name text NOT NULL, value bytea NOT NULL,
    CONSTRAINT setting_pkey PRIMARY KEY (name)
);
COMMENT ON TABLE landfall.setting IS 'Facts about this database, such as a check value of the token key.';
COMMENT ON COLUMN landfall.setting.name IS 'The name of the fact, e.g. token_key_check: an HMAC of a fixed text, so that a server with another key refuses to start. cell: the number of this cell in one byte; none: cell 0. cell_claim: random bytes, by which cell 0 tells this schema from another under the same number. id_range: the range that new ids are from, in eight bytes. citus_node: the node whose sequences and transactions the rows have numbers from, in eight bytes.';
COMMENT ON COLUMN landfall.setting.value IS 'The value.';

-- A cell is a complete schema with its own apps (docs/decisions/0062). Every schema has the following tables;
-- only cell 0's have rows.
CREATE TABLE landfall.app_cell (
    slug text NOT NULL, app_id bigint, cell integer NOT NULL, generation integer DEFAULT 0 NOT NULL,
    CONSTRAINT app_cell_pkey PRIMARY KEY (slug),
    CONSTRAINT app_cell_app_id_key UNIQUE (app_id),
    CONSTRAINT app_cell_cell_check CHECK (cell BETWEEN 1 AND 255)
);
COMMENT ON TABLE landfall.app_cell IS 'One row per app of another cell. A row takes precedence over a row of landfall.app with the same slug, which is a copy before or after a move.';
COMMENT ON COLUMN landfall.app_cell.slug IS 'The name of the app, reserved before the app is created.';
COMMENT ON COLUMN landfall.app_cell.app_id IS 'The app; null until it has been created.';
COMMENT ON COLUMN landfall.app_cell.cell IS 'The cell that the app is in.';
COMMENT ON COLUMN landfall.app_cell.generation IS 'The generation of the app in its cell. A copy with a lower one is not the app.';

CREATE TABLE landfall.id_range (
    number bigint NOT NULL, cell integer NOT NULL, above bigint NOT NULL, claim bytea,
    CONSTRAINT id_range_pkey PRIMARY KEY (number),
    CONSTRAINT id_range_cell_key UNIQUE (cell, above),
    CONSTRAINT id_range_number_check CHECK (number BETWEEN 0 AND 1023)
);
COMMENT ON TABLE landfall.id_range IS 'One row per range of 2^38 ids that a cell received. Empty while there is only one cell.';
COMMENT ON COLUMN landfall.id_range.number IS 'The number of the range. It contains the ids from number × 2^38 + 1 on.';
COMMENT ON COLUMN landfall.id_range.cell IS 'The cell that received it.';
COMMENT ON COLUMN landfall.id_range.above IS 'The range that the cell''s ids had to be above; -1 for its first range; -1 - number if a restored cell 0 had forgotten it and learned it from the cell.';
COMMENT ON COLUMN landfall.id_range.claim IS 'The setting cell_claim of the schema that received it as its first range.';

-- The words of a response are unique in each cell, so its id stays there when an app moves. The ids of apps
-- are also keys of advisory locks, which are integers.
CREATE VIEW landfall.id_sequence AS
SELECT sequencename::text AS name,
       CASE sequencename WHEN 'app_app_id_seq' THEN 1::bigint << 20 ELSE 1::bigint << 38 END AS size,
       min_value, max_value, last_value
  FROM pg_catalog.pg_sequences
 WHERE schemaname = 'landfall'::regnamespace::text AND data_type = 'bigint'::regtype
   AND sequencename NOT IN ('provider_response_response_id_seq', 'ledger_offset');
COMMENT ON VIEW landfall.id_sequence IS 'The sequences of ids that are unique in all cells, with the size of a range; last_value is null if the sequence was not used, or may not be read.';

-- Ids never become lower, and a sequence within its range is not touched, so a repeated call changes nothing.
-- Cell 0 is only bounded: its first range begins where its sequences do. Writers wait for the change, so it
-- gives up early, and the caller repeats it.
CREATE FUNCTION landfall.take_ids(cell bigint, range_number bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    taken record;
BEGIN
    PERFORM set_config('lock_timeout', '200ms', true);
    -- A node of Citus has its own sequences, and changes them itself.
    PERFORM set_config('citus.enable_ddl_propagation', 'off', true);
    INSERT INTO landfall.setting (name, value) VALUES ('id_range', int8send(range_number))
    ON CONFLICT (name) DO UPDATE SET value = excluded.value;
    FOR taken IN
        SELECT name, base + 1 AS first_id, base + size - 1 AS last_id
          FROM landfall.id_sequence
          CROSS JOIN LATERAL (
              SELECT size * CASE name WHEN 'app_app_id_seq' THEN cell ELSE range_number END AS base
          ) AS start
         WHERE min_value <= base + 1 AND (min_value, max_value) <> (base + 1, base + size - 1)
    LOOP
        -- This locks the sequence, so that its last id stays the last.
        EXECUTE format('ALTER SEQUENCE landfall.%I MAXVALUE %s', taken.name, taken.last_id);
        EXECUTE format('ALTER SEQUENCE landfall.%1$I MINVALUE %2$s START %2$s', taken.name, taken.first_id)
            || CASE WHEN (SELECT last_value FROM landfall.id_sequence WHERE name = taken.name) >= taken.first_id
                    THEN '' ELSE format(' RESTART %s', taken.first_id) END;
    END LOOP;
END;
$$;
COMMENT ON FUNCTION landfall.take_ids IS 'Gives new rows of this cell ids of a range; new apps, ids of the cell. An id beyond the range is an error.';

-- Citus can move the schema to another node at any time, with sequences and transactions of its own. Rows get
-- their numbers on the node that a session is connected to, so only sessions of the node with the rows may
-- write, and only after it has adopted the rows. A transaction that wrote keeps the schema where it is until
-- it ends: Citus holds a lock on the place of each shard.
CREATE FUNCTION landfall.local_node() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    node bigint;
BEGIN
    EXECUTE $query$
        SELECT local.groupid
          FROM pg_catalog.pg_dist_local_group AS local
          JOIN pg_catalog.pg_dist_placement AS placement USING (groupid)
          JOIN pg_catalog.pg_dist_shard AS shard USING (shardid)
         WHERE shard.logicalrelid = 'landfall.token_transition'::regclass
        $query$ INTO node;
    RETURN node;
END;
$$;
COMMENT ON FUNCTION landfall.local_node IS 'On Citus: the number of the node, if it holds the rows of this schema; otherwise null.';

CREATE FUNCTION landfall.refuse_node() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    node bigint := landfall.local_node();
BEGIN
    IF node IS NULL OR (SELECT value FROM landfall.setting WHERE name = 'citus_node') IS DISTINCT FROM int8send(node) THEN
        RAISE EXCEPTION 'the schema has moved to another node of Citus: connect again' USING ERRCODE = 'LF002';
    END IF;
END;
$$;
COMMENT ON FUNCTION landfall.refuse_node IS 'On Citus: fails (SQLSTATE LF002) unless this node holds the rows of this schema, and has adopted them.';

CREATE FUNCTION landfall.adopt_node() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    node bigint := landfall.local_node();
    cell bigint;
    range_number bigint;
    id record;
    last_id bigint;
BEGIN
    IF node IS NULL THEN
        PERFORM landfall.refuse_node();
    END IF;
    IF (SELECT value FROM landfall.setting WHERE name = 'citus_node') = int8send(node) THEN
        RETURN;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('landfall.adopt_node', 0));
    IF (SELECT value FROM landfall.setting WHERE name = 'citus_node') = int8send(node) THEN
        RETURN;
    END IF;
    PERFORM set_config('citus.enable_ddl_propagation', 'off', true);
    FOR id IN
        SELECT sequence.relname AS name, class.relname AS table_name, attribute.attname AS column_name,
               EXISTS (SELECT FROM pg_index WHERE indrelid = class.oid AND indkey[0] = attribute.attnum) AS is_leading,
               EXISTS (SELECT FROM pg_attribute WHERE attrelid = class.oid AND attname = 'app_id') AS has_app
          FROM pg_class AS sequence
          LEFT JOIN pg_depend AS owner
            ON owner.objid = sequence.oid AND owner.classid = 'pg_class'::regclass
               AND owner.refclassid = 'pg_class'::regclass AND owner.deptype = 'i'
          LEFT JOIN pg_class AS class ON class.oid = owner.refobjid
          LEFT JOIN pg_attribute AS attribute ON attribute.attrelid = class.oid AND attribute.attnum = owner.refobjsubid
         WHERE sequence.relkind = 'S' AND sequence.relnamespace = 'landfall'::regnamespace
    LOOP
        EXECUTE format('ALTER SEQUENCE landfall.%I MINVALUE 1 NO MAXVALUE START 1 RESTART', id.name);
        CONTINUE WHEN id.table_name IS NULL;
        IF id.is_leading OR NOT id.has_app THEN
            EXECUTE format('SELECT max(%I) FROM landfall.%I', id.column_name, id.table_name) INTO last_id;
        ELSE
            -- With the index on (app_id, id).
            EXECUTE format(
                'SELECT max(newest.id) FROM landfall.app CROSS JOIN LATERAL '
                '(SELECT max(%I) AS id FROM landfall.%I AS row WHERE row.app_id = app.app_id) AS newest',
                id.column_name, id.table_name) INTO last_id;
        END IF;
        -- Some more, in case that the newest row was removed: its id is not given again.
        PERFORM setval(format('landfall.%I', id.name)::regclass, last_id + 100) WHERE last_id IS NOT NULL;
    END LOOP;
    PERFORM setval('landfall.ledger_offset', landfall.foreign_transition());
    -- Not in one statement: Citus would run the function on the shard.
    cell := (SELECT get_byte(value, 0) FROM landfall.setting WHERE name = 'cell');
    range_number := (SELECT ('x' || encode(value, 'hex'))::bit(64)::bigint FROM landfall.setting WHERE name = 'id_range');
    IF range_number IS NOT NULL THEN
        PERFORM landfall.take_ids(coalesce(cell, 0), range_number);
    END IF;
    INSERT INTO landfall.setting (name, value) VALUES ('citus_node', int8send(node))
    ON CONFLICT (name) DO UPDATE SET value = excluded.value;
END;
$$;
ALTER FUNCTION landfall.adopt_node SECURITY DEFINER SET search_path = pg_catalog, pg_temp;
COMMENT ON FUNCTION landfall.adopt_node IS 'On Citus: numbers new rows above all that are there, if the schema has come to this node since the last call.';
