-- Which of Landfall's schemas are in this database? One row per schema.
SELECT nspname::text FROM pg_catalog.pg_namespace WHERE nspname IN ('landfall', 'report_v1') ORDER BY nspname;
