-- Which migrations have been applied, and how did their files read?
SELECT name, checksum FROM landfall.schema_migration ORDER BY name;
