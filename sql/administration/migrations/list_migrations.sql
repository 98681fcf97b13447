-- Which migrations have been applied, and with which checksums of their files?
SELECT name, checksum FROM landfall.schema_migration ORDER BY name;
