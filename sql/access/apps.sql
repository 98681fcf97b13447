-- Apps and their settings.

-- The elements of a setting of an app that is a list, such as providers; none if it is not set to one.
-- part: listed_in_setting
jsonb_array_elements_text(CASE jsonb_typeof(settings -> '$1') WHEN 'array' THEN settings -> '$1' ELSE '[]' END)

-- name: create_app
-- Creates an app. No row if the slug is taken.
-- $1 slug, $2 now
INSERT INTO landfall.app (slug, created_at)
SELECT $1, $2 WHERE NOT EXISTS (SELECT FROM landfall.app_cell WHERE slug = $1)
ON CONFLICT (slug) DO NOTHING
RETURNING app_id, slug;

-- name: list_apps
-- Which apps are there? One row per app, without copies before or after a move.
SELECT app_id, slug, ARRAY(SELECT {{listed_in_setting(providers)}}) AS providers
FROM landfall.app
WHERE app_id <> ALL ({{copies_of_apps}})
ORDER BY slug;

-- name: list_app_settings
-- Which settings does an app have of its own? One row per setting: its name and its value as entered, lists
-- with commas.
-- $1 app_id
SELECT setting.key,
       CASE jsonb_typeof(setting.value)
           WHEN 'array' THEN (
               SELECT coalesce(string_agg(item.word, ',' ORDER BY item.position), '')
               FROM jsonb_array_elements_text(setting.value) WITH ORDINALITY AS item (word, position)
           )
           ELSE setting.value #>> '{}'
       END AS value
FROM landfall.app
CROSS JOIN LATERAL jsonb_each(app.settings) AS setting (key, value)
WHERE app.app_id = $1
ORDER BY setting.key;

-- name: set_app_setting
-- Sets a setting of an app.
-- $1 app_id, $2 name, $3 value (JSON text)
UPDATE landfall.app SET settings = settings || jsonb_build_object($2::text, $3::text::jsonb) WHERE app_id = $1;

-- name: unset_app_setting
-- Removes an app's own setting, so that the default applies again.
-- $1 app_id, $2 name
UPDATE landfall.app SET settings = settings - $2::text WHERE app_id = $1;

-- name: list_origins
-- Which web origins does any app allow?
SELECT DISTINCT origin
FROM landfall.app
CROSS JOIN LATERAL {{listed_in_setting(cors_origins)}} AS origin;
