-- The steps of a move, each of which one row of app_move records.

-- part: origin
extract(epoch FROM pg_postmaster_start_time())::text || ' ' || 'landfall.app_move'::regclass::oid::text

-- name: find_move
-- Is this app being moved from or to this cell, or was it? At most one row. is_stale: since its days began to
-- be copied, PostgreSQL was started or the schema restored: it may not know what was copied. $1 app_id
SELECT state, cell, move_id, state = 'serving' AND origin IS DISTINCT FROM {{origin}} AS is_stale
  FROM landfall.app_move WHERE app_id = $1;

-- name: wait_briefly
-- Lets the transaction give up a lock after 200 ms (SQLSTATE 55P03), because meanwhile all others wait.
SET LOCAL lock_timeout = '200ms';

-- name: lock_moves
-- Waits for the transactions that write rows of apps. All that begin later see what this one changes.
LOCK TABLE landfall.app_move IN ACCESS EXCLUSIVE MODE;

-- name: begin_serving
-- Records that days of an app are copied while it is written. $1 app_id, $2 the other cell, $3 move_id
INSERT INTO landfall.app_move (app_id, state, cell, move_id, changed_at, origin)
VALUES ($1, 'serving', $2, $3, now(), {{origin}});

-- name: begin_copying
-- Records that rows of an app are copied here, so that nothing else writes them. No row if rows of an earlier
-- move may still be here. $1 app_id, $2 the other cell, $3 move_id
INSERT INTO landfall.app_move AS known (app_id, state, cell, move_id, changed_at)
VALUES ($1, 'copying', $2, $3, now())
ON CONFLICT (app_id) DO UPDATE
SET state = excluded.state, cell = excluded.cell, move_id = excluded.move_id, changed_at = excluded.changed_at,
    days = excluded.days
WHERE known.state = 'removed'
RETURNING known.app_id;

-- name: list_days
-- Which days of notifications are here, and are changes of an app's rows noted there? The start of each UTC
-- day, the oldest first, and statements that begin and end the noting. is_quiet: few events change the day,
-- because it ended a day ago, and they can be noted (Citus allows no triggers). $1 app_id
SELECT day.day,
       day.day + interval '48 hours' <= now() AND pg_has_role(child.relowner, 'USAGE')
           AND NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS is_quiet,
       EXISTS (SELECT FROM pg_trigger WHERE tgrelid = child.oid AND tgname = 'note_move_' || $1::bigint) AS is_noted,
       EXISTS (SELECT FROM landfall.app_move_change
                WHERE app_id = $1 AND sent_at >= day.day AND sent_at < day.day + interval '24 hours') AS has_changed,
       format('CREATE OR REPLACE TRIGGER note_move_%1$s AFTER INSERT OR UPDATE OR DELETE ON %2$s '
              'FOR EACH ROW EXECUTE FUNCTION landfall.note_moving_delivery(%1$s)', $1, child.oid::regclass) AS beginning,
       format('DROP TRIGGER note_move_%s ON %s', $1, child.oid::regclass) AS ending
  FROM pg_inherits
  JOIN pg_class AS child ON child.oid = pg_inherits.inhrelid
 CROSS JOIN LATERAL (SELECT to_date(substr(child.relname, 10, 8), 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC' AS day) AS day
 WHERE pg_inherits.inhparent = 'landfall.delivery'::regclass AND child.relname ~ '^delivery_\d{8}'
 ORDER BY day.day;

-- name: copied_days
-- Which days were copied here while the other cell served them? $1 app_id, $2 move_id
SELECT unnest(days) AS day FROM landfall.app_move WHERE app_id = $1 AND move_id = $2;

-- name: record_day
-- Records whether a day was copied here. No row if the copy is complete or was given up.
-- $1 app_id, $2 move_id, $3 the day, $4 again if it was[]
UPDATE landfall.app_move
SET days = array_cat(array_remove(days, $3::timestamptz), $4::timestamptz[]), changed_at = now()
WHERE app_id = $1 AND move_id = $2 AND state = 'copying'
RETURNING app_id;

-- name: forget_changes
-- Removes what was noted. $1 app_id
DELETE FROM landfall.app_move_change WHERE app_id = $1;

-- name: change_move
-- Changes the state of a move. No row if it is in another one. $1 app_id, $2 move_id, $3 from, $4 to
UPDATE landfall.app_move SET state = $4, changed_at = now()
WHERE app_id = $1 AND move_id = $2 AND state = $3
RETURNING app_id;

-- name: lock_move
-- Keeps a move in its state until the transaction ends. No row if it is in another one.
-- $1 app_id, $2 move_id, $3 state
SELECT app_id FROM landfall.app_move WHERE app_id = $1 AND move_id = $2 AND state = $3 FOR SHARE;

-- name: end_move
-- Allows the writing of an app's rows. No row if the move is in another state.
-- $1 app_id, $2 move_id, $3 state
DELETE FROM landfall.app_move WHERE app_id = $1 AND move_id = $2 AND state = $3 RETURNING app_id;

-- name: retire_copy
-- Records that an app has left, if a restore has brought back a copy that is older than the app in another
-- cell. One row if so. $1 app_id, $2 the cell of the app, $3 its generation there, $4 move_id
INSERT INTO landfall.app_move AS known (app_id, state, cell, move_id, changed_at)
SELECT app_id, 'left', $2, $4, now() FROM landfall.app WHERE app_id = $1 AND generation < $3
ON CONFLICT (app_id) DO UPDATE
SET state = excluded.state, cell = excluded.cell, move_id = excluded.move_id, changed_at = excluded.changed_at
WHERE known.state = 'leaving'
RETURNING known.app_id;

-- name: redirect_keys
-- Redirects the keys of an app that leaves this cell. $1 app_id, $2 the other cell
INSERT INTO landfall.key_redirect (digest, app_id, cell)
SELECT digest, app_id, $2 FROM landfall.api_key WHERE app_id = $1 AND sealed_key IS NULL
ON CONFLICT (digest) DO UPDATE SET cell = excluded.cell;

-- name: forget_redirects
-- Removes the redirects of an app that came back. $1 app_id
DELETE FROM landfall.key_redirect WHERE app_id = $1;

-- name: record_cell
-- Records in cell 0 that an app is in another cell, and redirects its keys that name cell 0 to there.
-- $1 slug, $2 app_id, $3 cell, $4 generation
WITH recorded AS (
    INSERT INTO landfall.app_cell AS known (slug, app_id, cell, generation) VALUES ($1, $2, $3, $4)
    ON CONFLICT (slug) DO UPDATE
    SET app_id = excluded.app_id, cell = excluded.cell, generation = excluded.generation
    WHERE known.generation < excluded.generation
    RETURNING known.app_id
)
UPDATE landfall.key_redirect SET cell = $3 WHERE app_id = (SELECT app_id FROM recorded);

-- name: forget_cell
-- Records in cell 0 that an app is in it again. $1 slug, $2 generation
DELETE FROM landfall.app_cell WHERE slug = $1 AND generation < $2;

-- name: read_facts
-- What must two cells have in common before an app moves? One row: the migrations with their checksums, the
-- check value of the token key, the start of the kept notifications, the app with this slug. $1 slug
SELECT (SELECT string_agg(name || ' ' || encode(checksum, 'hex'), ' ' ORDER BY name) FROM landfall.schema_migration)
           AS migrations,
       (SELECT value FROM landfall.setting WHERE name = 'token_key_check') AS token_key,
       (SELECT kept_from FROM landfall.retention) AS kept_from,
       (SELECT app_id FROM landfall.app WHERE slug = $1) AS app_id,
       (SELECT generation FROM landfall.app WHERE slug = $1) AS generation;

-- name: has_older
-- Are there notifications that were sent before this instant? $1 instant, $2 app_id (null: of any app)
SELECT EXISTS (SELECT FROM landfall.delivery WHERE sent_at < $1 AND ($2::bigint IS NULL OR app_id = $2)) AS has_older;

-- name: keep_from
-- Accepts no notifications sent before this instant anymore. $1 instant
INSERT INTO landfall.retention AS known (kept_from) VALUES ($1)
ON CONFLICT (is_only) DO UPDATE SET kept_from = greatest(known.kept_from, excluded.kept_from);

-- name: unfinished_moves
-- Which moves did not go on for an hour, or served or were not confirmed for a day? One row per app or copy.
SELECT coalesce(app.slug, app_move.app_id::text) AS slug, app_move.state, app_move.cell
  FROM landfall.app_move LEFT JOIN landfall.app USING (app_id)
 WHERE app_move.state <> 'removed'
   AND changed_at < now() - CASE WHEN state IN ('left', 'serving') THEN interval '1 day' ELSE interval '1 hour' END
 ORDER BY slug;

-- name: list_responses
-- Which provider responses have ids in this cell?
SELECT response_id, provider, status, reason, outcome_class FROM landfall.provider_response ORDER BY response_id;
