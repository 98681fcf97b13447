-- Comments of columns that mean the same wherever no comment above says more.

DO $$
DECLARE
    common record;
BEGIN
    FOR common IN
        SELECT attrelid::regclass AS relation, attname, meaning
          FROM pg_attribute
          JOIN pg_class ON pg_class.oid = attrelid
          JOIN (VALUES ('app_id', 'The app.'), ('installation_id', 'The installation.'), ('environment', 'production or sandbox.'),
                       ('topic', 'apns-topic; empty when unknown.'), ('notifications', 'Number of notifications.')
               ) AS known (name, meaning) ON known.name = attname
         WHERE relnamespace = 'landfall'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
           AND col_description(attrelid, attnum) IS NULL
    LOOP
        EXECUTE format('COMMENT ON COLUMN %s.%I IS %L', common.relation, common.attname, common.meaning);
    END LOOP;
END;
$$;
