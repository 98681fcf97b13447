-- The table of tokens that `landfall mirror` keeps in a SQLite file of a sender, and its position in the
-- feeds: the same as postgres.sql, token by token. Names in quotation marks are replaced (MirrorTable).

-- name: sqlite_begin
-- Begins a transaction that writes.
BEGIN IMMEDIATE;

-- name: sqlite_commit
-- Ends a transaction.
COMMIT;

-- name: sqlite_rollback
-- Ends a transaction without its changes.
ROLLBACK;

-- name: sqlite_write_ahead
-- Lets others read a new file while it is written.
PRAGMA journal_mode = WAL;

-- name: sqlite_create_table
-- Creates the table of tokens. changed_at is RFC 3339 in UTC.
CREATE TABLE IF NOT EXISTS "device_tokens" (
    "token_id"    INTEGER PRIMARY KEY,
    "app"         TEXT NOT NULL,
    "value"       TEXT NOT NULL,
    "provider"    TEXT NOT NULL,
    "kind"        TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "topic"       TEXT NOT NULL,
    "state"       TEXT NOT NULL,
    "device_id"   TEXT,
    "p256dh"      TEXT,
    "auth"        TEXT,
    "changed_at"  TEXT
);

-- name: sqlite_create_positions
-- Creates the table of positions: a row for each table of tokens.
CREATE TABLE IF NOT EXISTS "landfall_mirror" (
    table_name  TEXT PRIMARY KEY,
    app         TEXT NOT NULL,
    position    INTEGER NOT NULL,
    fill_cursor TEXT,
    filled_to   INTEGER NOT NULL,
    proof       TEXT,
    revision    INTEGER NOT NULL,
    applied_at  TEXT NOT NULL
);

-- name: sqlite_read_position
-- How far has this table of tokens come? No row before its first page.
-- ?1 table_name
SELECT app, position, fill_cursor, filled_to, proof, revision
FROM "landfall_mirror" WHERE table_name = ?1;

-- name: sqlite_find_token
-- Has the table a row of the app that a fill could remove? One row if so.
-- ?1 app
SELECT "token_id" FROM "device_tokens" WHERE "app" = ?1 AND "token_id" > 0 LIMIT 1;

-- name: sqlite_put_position
-- Moves the position on. Changes no row if another program has moved it since it was read.
-- ?1 table_name, ?2 app, ?3 position, ?4 fill_cursor, ?5 filled_to, ?6 proof, ?7 revision
INSERT INTO "landfall_mirror"
    (table_name, app, position, fill_cursor, filled_to, proof, revision, applied_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
ON CONFLICT (table_name) DO UPDATE
SET app = excluded.app, position = excluded.position, fill_cursor = excluded.fill_cursor,
    filled_to = excluded.filled_to, proof = excluded.proof, revision = excluded.revision,
    applied_at = excluded.applied_at
WHERE revision = excluded.revision - 1;

-- name: sqlite_put_token
-- Adds a token, or updates one of the app. Changes no row if one of the sender's own has this token_id.
-- ?1 app, ?2 token_id, ?3 value, ?4 provider, ?5 kind, ?6 environment, ?7 topic, ?8 state, ?9 device_id,
-- ?10 p256dh, ?11 auth, ?12 changed_at
INSERT INTO "device_tokens"
    ("app", "token_id", "value", "provider", "kind", "environment", "topic", "state", "device_id", "p256dh", "auth",
     "changed_at")
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
ON CONFLICT ("token_id") DO UPDATE
SET "value" = excluded."value", "provider" = excluded."provider", "kind" = excluded."kind",
    "environment" = excluded."environment", "topic" = excluded."topic", "state" = excluded."state",
    "device_id" = excluded."device_id", "p256dh" = excluded."p256dh", "auth" = excluded."auth",
    "changed_at" = excluded."changed_at"
WHERE "app" = excluded."app";

-- name: sqlite_remove_token
-- Removes a token of the app.
-- ?1 app, ?2 token_id
DELETE FROM "device_tokens" WHERE "app" = ?1 AND "token_id" = ?2;

-- name: sqlite_remove_others
-- Removes the tokens of the app in this range of ids, except these.
-- ?1 app, ?2 above this token_id, ?3 up to this one, ?4 a JSON array of token_id to keep
DELETE FROM "device_tokens"
WHERE "app" = ?1 AND "token_id" > ?2 AND "token_id" <= ?3
  AND "token_id" NOT IN (SELECT value FROM json_each(?4));
