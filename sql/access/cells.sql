-- Cells: the apps of other cells, as cell 0 knows them, and the ids that each cell gives to new rows.

-- name: list_all_apps
-- Which apps are there in all cells? One row per app; the providers only of apps of this cell.
SELECT app_id, slug, ARRAY(SELECT {{listed_in_setting(providers)}}) AS providers, 0 AS cell
FROM landfall.app
WHERE NOT EXISTS (SELECT FROM landfall.app_cell WHERE app_cell.slug = app.slug)
UNION ALL
SELECT app_id, slug, '{}', cell FROM landfall.app_cell WHERE app_id IS NOT NULL
ORDER BY slug;

-- name: lock_directory
-- Waits for others that create apps or hand out ranges, and keeps them from it until the transaction ends.
LOCK TABLE landfall.app, landfall.id_range IN SHARE ROW EXCLUSIVE MODE;

-- name: reserve_slug
-- Reserves a slug for an app of another cell, unless it already is. No row if the slug is taken. After
-- lock_directory. $1 slug, $2 cell
INSERT INTO landfall.app_cell AS known (slug, cell)
SELECT $1, $2 WHERE NOT EXISTS (SELECT FROM landfall.app WHERE slug = $1)
ON CONFLICT (slug) DO UPDATE SET slug = excluded.slug WHERE known.cell = excluded.cell AND known.app_id IS NULL
RETURNING known.slug;

-- name: find_reservation
-- For which cell is this slug reserved? No row if it is not, or its app was created. $1 slug
SELECT cell FROM landfall.app_cell WHERE slug = $1 AND app_id IS NULL;

-- name: release_slug
-- Releases a slug that is reserved for an app of another cell. $1 slug, $2 cell
DELETE FROM landfall.app_cell WHERE slug = $1 AND cell <> $2 AND app_id IS NULL;

-- name: end_reservation
-- Records that the app of a reserved slug was created. $1 slug, $2 app_id
UPDATE landfall.app_cell SET app_id = $2 WHERE slug = $1 AND app_id IS NULL;

-- name: list_generations
-- Which apps does this cell have? One row per app, without copies before or after a move. $1 cell
SELECT app_id, slug, $1::integer AS cell, generation FROM landfall.app
WHERE app_id <> ALL ({{copies_of_apps}});

-- name: compare_apps
-- Of which apps of another cell does cell 0 know no copy, an older one, or a newer one elsewhere? One row per
-- app and copy, with the newest one's cell and generation. Without apps whose slug or id a different app has.
-- $1 cell, $2 app_id[], $3 slug[], $4 generation[]
WITH known AS (
    SELECT app_id, slug, cell, generation FROM landfall.app_cell WHERE app_id IS NOT NULL
    UNION ALL
    SELECT app_id, slug, 0, generation FROM landfall.app WHERE app_id <> ALL ({{copies_of_apps}})
)
SELECT here.app_id, here.slug, greatest(known.generation, here.generation) AS generation,
       CASE WHEN known.generation > here.generation THEN known.cell ELSE $1 END AS cell
  FROM unnest($2::bigint[], $3::text[], $4::integer[]) AS here (app_id, slug, generation)
  LEFT JOIN known ON known.app_id = here.app_id AND known.slug = here.slug
 WHERE (known.cell = $1 AND known.generation >= here.generation) IS NOT TRUE
   AND NOT EXISTS (SELECT FROM known AS other WHERE other.slug = here.slug AND other.app_id <> here.app_id)
   AND NOT EXISTS (SELECT FROM known AS other WHERE other.app_id = here.app_id AND other.slug <> here.slug);

-- name: hand_out_range
-- The next range of ids for a cell, or the one that it received before for the same reason. The first row is
-- cell 0's: the highest range that its ids have reached, which is 0 unless cell 0 was alone for years.
-- claim: of the schema that received it.
-- After lock_directory. $1 cell, $2 the range that the ids must be above, or -1 for the cell's first range,
-- $3 the claim of the schema, or null
INSERT INTO landfall.id_range AS known (number, cell, above, claim)
SELECT coalesce(max(number) FILTER (WHERE cell = $1::bigint AND above = $2::bigint), max(number) + 1,
                (SELECT coalesce(max(last_value), 0) >> 38 FROM landfall.id_sequence)),
       $1::bigint, $2::bigint, $3::bytea
FROM landfall.id_range
ON CONFLICT (cell, above) DO UPDATE SET claim = coalesce(known.claim, excluded.claim)
RETURNING known.number, known.claim;

-- name: current_range
-- From which range do new rows of this cell get their ids?
SELECT max(greatest(min_value, last_value)) >> 38 AS number FROM landfall.id_sequence;

-- name: find_range
-- Which cell received a range? No row if cell 0 does not know of it. $1 range
SELECT cell FROM landfall.id_range WHERE number = $1;

-- name: record_range
-- Records a range that cell 0 handed out before it was restored from an older backup. $1 range, $2 cell
INSERT INTO landfall.id_range AS known (number, cell, above) VALUES ($1, $2, -1::bigint - $1)
ON CONFLICT (number) DO UPDATE SET cell = known.cell RETURNING known.cell;

-- name: last_range
-- The highest range that a cell received, or -1. $1 cell
SELECT coalesce(max(number), -1) AS number FROM landfall.id_range WHERE cell = $1;

-- name: take_ids
-- Gives new rows of this cell ids of a range, unless it has taken a higher one. $1 cell, $2 range
SELECT landfall.take_ids($1, $2) IS NOT NULL AS is_taken;

-- name: id_use
-- What share of its range has each sequence used? One row per sequence that has a range, was used, and may
-- be read by this role.
SELECT name, (last_value - min_value + 1)::double precision / (size - 1) AS share
FROM landfall.id_sequence
WHERE max_value = min_value + size - 2 AND last_value IS NOT NULL
ORDER BY share DESC, name;

-- name: cell_load
-- How many migrations does this cell have, and how many notifications were sent in the last 7 days?
SELECT (SELECT count(*) FROM landfall.schema_migration) AS migrations,
       (SELECT coalesce(sum(counter.notifications), 0)::bigint
          FROM landfall.app
          JOIN landfall.headline_by_quarter AS counter USING (app_id)
         WHERE counter.quarter >= now() - interval '7 days') AS notifications;

-- name: is_fresh
-- Is this schema without apps, people and other cells, so that it may become a cell?
SELECT NOT EXISTS (SELECT FROM landfall.app) AND NOT EXISTS (SELECT FROM landfall.person)
       AND NOT EXISTS (SELECT FROM landfall.id_range) AS is_fresh;
