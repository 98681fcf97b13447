-- Lets a role read the views of report_v1 and nothing else of Landfall's, and creates the role unless it
-- exists. Roles belong to the whole cluster, so this runs on request and not as a migration. landfall migrate
-- --report-role NAME runs it for every cell. For the schemas that it names, so does
--
--     PGOPTIONS='-c landfall.report_role=analyst' psql -f report_reader.sql …
--
-- Run it as the owner of the schema, who needs CREATEROLE to create a role. The role gets no password here:
-- set one with \password analyst. It may be run again.
DO $$
DECLARE
    reader text := current_setting('landfall.report_role');
BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_catalog.pg_roles WHERE rolname = reader) THEN
        BEGIN
            EXECUTE format('CREATE ROLE %I LOGIN CONNECTION LIMIT 10', reader);
            -- An analyst's mistake must not use up what ingestion needs.
            EXECUTE format('ALTER ROLE %I SET statement_timeout = ''60s''', reader);
            EXECUTE format('ALTER ROLE %I SET default_transaction_read_only = on', reader);
        EXCEPTION
            -- Another session has just created it.
            WHEN duplicate_object OR unique_violation THEN NULL;
        END;
    END IF;
    IF has_schema_privilege(reader, 'landfall', 'USAGE') THEN
        RAISE EXCEPTION 'the role % can reach more than the views: it has rights to the schema landfall', reader
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    EXECUTE format('GRANT USAGE ON SCHEMA report_v1 TO %I', reader);
    EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA report_v1 TO %I', reader);
    -- For views that later migrations add.
    EXECUTE format('ALTER DEFAULT PRIVILEGES IN SCHEMA report_v1 GRANT SELECT ON TABLES TO %I', reader);
END;
$$;
