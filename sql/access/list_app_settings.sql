-- Which settings does an app have of its own? One row per setting: its name and its value as entered, lists with commas.
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
