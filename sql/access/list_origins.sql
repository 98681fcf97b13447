-- Which web origins does any app allow?
SELECT DISTINCT origin
FROM landfall.app
CROSS JOIN LATERAL jsonb_array_elements_text(
    CASE jsonb_typeof(app.settings -> 'cors_origins') WHEN 'array' THEN app.settings -> 'cors_origins' ELSE '[]' END) AS origin;
