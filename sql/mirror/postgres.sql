-- The table of tokens that `landfall mirror` keeps in a PostgreSQL of a sender, and its position in the
-- feeds. Names in quotation marks are replaced by those that the sender chose (MirrorTable).

-- name: find_table
-- Which table has this name, and what is its full name? No row if there is none.
-- $1 name, in quotation marks where it needs them
SELECT class.oid::bigint AS number, namespace.nspname || '.' || class.relname AS name
FROM pg_catalog.pg_class AS class
JOIN pg_catalog.pg_namespace AS namespace ON namespace.oid = class.relnamespace
WHERE class.oid = to_regclass($1)::oid;

-- name: create_table
-- Creates the table of tokens. changed_at is the time of the last change that was applied; null: none since
-- the tokens were read.
CREATE TABLE IF NOT EXISTS "device_tokens" (
    "token_id"    bigint PRIMARY KEY,
    "app"         text NOT NULL,
    "value"       text NOT NULL,
    "provider"    text NOT NULL,
    "kind"        text NOT NULL,
    "environment" text NOT NULL,
    "topic"       text NOT NULL,
    "state"       text NOT NULL,
    "device_id"   text,
    "p256dh"      text,
    "auth"        text,
    "changed_at"  timestamptz
);

-- name: create_positions
-- Creates the table of positions: a row for each table of tokens.
CREATE TABLE IF NOT EXISTS "landfall_mirror" (
    table_name  text PRIMARY KEY,
    app         text NOT NULL,
    -- The last transition that was applied, or from which changes follow once all tokens are read.
    position    bigint NOT NULL,
    -- Where to go on reading all tokens; null once they are read.
    fill_cursor text,
    -- The greatest token_id of the tokens that were read.
    filled_to   bigint NOT NULL,
    -- What the server returned with the position. It rejects the two if its ledger is another one.
    proof       text,
    revision    bigint NOT NULL,
    applied_at  timestamptz NOT NULL
);

-- name: read_position
-- How far has this table of tokens come? No row before its first page.
-- $1 table_name
SELECT app, position, fill_cursor, filled_to, proof, revision
FROM "landfall_mirror" WHERE table_name = $1;

-- name: find_token
-- Has the table a row of the app that a fill could remove? One row if so.
-- $1 app
SELECT "token_id" FROM "device_tokens" WHERE "app" = $1 AND "token_id" > 0 LIMIT 1;

-- name: put_position
-- Moves the position on. No row if another session has moved it since it was read.
-- $1 table_name, $2 app, $3 position, $4 fill_cursor, $5 filled_to, $6 proof, $7 revision: one more than the
-- one that was read, 1 for the first
INSERT INTO "landfall_mirror" AS known
    (table_name, app, position, fill_cursor, filled_to, proof, revision, applied_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, now())
ON CONFLICT (table_name) DO UPDATE
SET app = excluded.app, position = excluded.position, fill_cursor = excluded.fill_cursor,
    filled_to = excluded.filled_to, proof = excluded.proof, revision = excluded.revision,
    applied_at = excluded.applied_at
WHERE known.revision = excluded.revision - 1
RETURNING revision;

-- name: put_tokens
-- Adds tokens, or updates those of the app. One row with their number; a row of the sender's own with the
-- same token_id is left alone and not counted.
-- $1 app, then arrays: $2 token_id, $3 value, $4 provider, $5 kind, $6 environment, $7 topic, $8 state,
-- $9 device_id, $10 p256dh, $11 auth, $12 changed_at as RFC 3339
WITH put AS (
    INSERT INTO "device_tokens" AS known
        ("token_id", "app", "value", "provider", "kind", "environment", "topic", "state", "device_id", "p256dh",
         "auth", "changed_at")
    SELECT fed.token_id, $1, fed.value, fed.provider, fed.kind, fed.environment, fed.topic, fed.state,
           fed.device_id, fed.p256dh, fed.auth, fed.changed_at::timestamptz
    FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
                $10::text[], $11::text[], $12::text[])
         AS fed (token_id, value, provider, kind, environment, topic, state, device_id, p256dh, auth, changed_at)
    ORDER BY fed.token_id
    ON CONFLICT ("token_id") DO UPDATE
    SET "value" = excluded."value", "provider" = excluded."provider", "kind" = excluded."kind",
        "environment" = excluded."environment", "topic" = excluded."topic", "state" = excluded."state",
        "device_id" = excluded."device_id", "p256dh" = excluded."p256dh", "auth" = excluded."auth",
        "changed_at" = excluded."changed_at"
    WHERE known."app" = excluded."app"
    RETURNING 1
)
SELECT count(*) AS tokens FROM put;

-- name: remove_tokens
-- Removes these tokens of the app. One row with their number.
-- $1 app, $2 token_id[]
WITH removed AS (
    DELETE FROM "device_tokens" WHERE "app" = $1 AND "token_id" = ANY ($2::bigint[]) RETURNING 1
)
SELECT count(*) AS tokens FROM removed;

-- name: remove_others
-- Removes the tokens of the app in this range of ids, except these. One row with their number.
-- $1 app, $2 above this token_id, $3 up to this one, $4 token_id[] to keep
WITH removed AS (
    DELETE FROM "device_tokens"
    WHERE "app" = $1
      AND "token_id" = ANY (ARRAY(
          SELECT "token_id" FROM "device_tokens" WHERE "app" = $1 AND "token_id" > $2 AND "token_id" <= $3
          EXCEPT
          SELECT unnest($4::bigint[])))
    RETURNING 1
)
SELECT count(*) AS tokens FROM removed;
