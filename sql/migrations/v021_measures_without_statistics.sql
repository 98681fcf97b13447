-- No plan ever asks how the measures of a counter are distributed: reports add them up. So ANALYZE need not sort samples of these
-- 25 columns of each table.
DO $$
DECLARE
    measure record;
BEGIN
    FOR measure IN
        SELECT attrelid::regclass AS counters, attname AS name
        FROM pg_attribute
        WHERE attrelid IN ('landfall.delivery_rollup'::regclass, 'landfall.segment_rollup'::regclass,
                           'landfall.segment_day_rollup'::regclass)
          AND attnum > 0
          AND NOT attisdropped
          AND attname NOT IN ('app_id', 'quarter', 'day', 'campaign_id', 'segment_id', 'slot')
    LOOP
        EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET STATISTICS 0', measure.counters, measure.name);
    END LOOP;
END;
$$;
