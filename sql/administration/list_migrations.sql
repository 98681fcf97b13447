-- Which migrations have been applied?
SELECT name FROM landfall.schema_migration ORDER BY name;
