-- How the rows of an app are copied, compared and removed: statements made from PostgreSQL's catalog, so that
-- no table can be forgotten. What packing a day needs stays: delivery_change, and the copy packing_YYYYMMDD.
-- Triggers note the rows that a move writes or removes meanwhile, and packing repeats that in its copy.

-- part: staying_tables
ARRAY['app_move', 'key_redirect', 'app_cell', 'person_grant', 'share_link', 'delivery_change']

-- name: fix_formats
-- Makes the texts of values the same in every database, until the transaction ends.
SELECT set_config(name, value, true) AS value
  FROM (VALUES ('TimeZone', 'UTC'), ('DateStyle', 'ISO, YMD'), ('IntervalStyle', 'postgres'), ('bytea_output', 'hex'),
               ('extra_float_digits', '1'), ('jit', 'off')) AS fixed (name, value);

-- name: list_copies
-- How are the rows of an app copied, and how are they compared? One row per table and, for notifications,
-- day, with COPY for either cell, the removal of what was copied before, and a query for the number of rows,
-- the sum of their hashes, and their bytes. Of some days, only rows that changed are asked for: the keys of
-- these (app_move_change) are copied before, as the names of the tables sort.
--
-- $1 app_id, $2 ids of responses here[], $3 their ids in the other cell[], $4 UTC days[], $5 how much lower
-- written_by is in the other cell, $6 how much higher the app's generation, $7 the days of which only changed
-- rows are asked for[]; for rows that were copied: {}, {}, days, 0, 0, the same. Columns are in the order of
-- their names: two databases may have added them in another order. The app is last: programs that create apps
-- wait for who has written to its table.
WITH listed AS (
    SELECT class.oid, class.relname::text AS name, format('%I.%I', namespace.nspname, class.relname) AS relation,
           column_of.attname::text AS attribute,
           column_of.attname IN ('response_id', 'previous_response_id') AS is_response
      FROM pg_class AS class
      JOIN pg_namespace AS namespace ON namespace.oid = class.relnamespace
      JOIN pg_attribute AS column_of ON column_of.attrelid = class.oid
     WHERE class.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'landfall.app_move'::regclass)
       AND class.relkind IN ('r', 'p') AND NOT class.relispartition
       AND class.relname::text <> ALL ({{staying_tables}}) AND class.relname !~ '^packing_'
       AND column_of.attnum > 0 AND NOT column_of.attisdropped AND column_of.attgenerated = ''
), moved AS (
    SELECT name, relation, string_agg(quote_ident(attribute), ', ' ORDER BY attribute) AS columns,
           string_agg(
               CASE WHEN is_response THEN format('coalesce(%1$I.there, moved.%1$I) AS %1$I', attribute)
                    WHEN attribute = 'written_by' THEN format('moved.written_by - %s AS written_by', $5::bigint)
                    WHEN name = 'app' AND attribute = 'generation'
                    THEN format('moved.generation + %s AS generation', $6::integer)
                    ELSE format('moved.%I', attribute) END,
               ', ' ORDER BY attribute) AS expressions,
           coalesce(
               string_agg(
                   format(' LEFT JOIN unnest(%1$L::bigint[], %2$L::bigint[]) AS %3$I (here, there) ON %3$I.here = moved.%3$I',
                          $2::bigint[]::text, $3::bigint[]::text, attribute),
                   '' ORDER BY attribute) FILTER (WHERE is_response),
               '') AS joins
      FROM listed
     GROUP BY name, relation
    HAVING bool_or(attribute = 'app_id')
), part AS (
    SELECT moved.*, day.day
      FROM moved
     CROSS JOIN LATERAL (SELECT asked.day FROM unnest($4::timestamptz[]) AS asked (day) WHERE moved.name = 'delivery'
                         UNION ALL
                         SELECT NULL WHERE moved.name <> 'delivery') AS day
), selected AS (
    SELECT part.*, asked.condition,
           format('SELECT %s FROM %s AS moved%s WHERE %s', expressions, relation, joins, asked.condition) AS query
      FROM part
     CROSS JOIN LATERAL (
         SELECT format('moved.app_id = %s', $1::bigint)
                || CASE WHEN day IS NULL THEN ''
                        ELSE format(' AND moved.sent_at >= %L AND moved.sent_at < %L', day, day + interval '24 hours') END
                || CASE WHEN day = ANY ($7::timestamptz[])
                        THEN format(' AND (moved.notification_id, moved.sent_at) IN (SELECT notification_id, sent_at '
                                    'FROM landfall.app_move_change WHERE app_id = %s)', $1::bigint)
                        ELSE '' END AS condition) AS asked
)
SELECT name || coalesce(' ' || to_char(day AT TIME ZONE 'UTC', 'YYYY-MM-DD'), '') AS name, day, columns,
       format('COPY (%s) TO STDOUT (FORMAT binary)', query) AS copy_out,
       format('COPY %s (%s) FROM STDIN (FORMAT binary)', relation, columns) AS copy_in,
       format('DELETE FROM %s AS moved WHERE %s', relation, condition) AS removal,
       format('SELECT count(*) AS row_count, coalesce(sum(hashtextextended(copied::text, 0)), 0)::text AS digest, '
              'coalesce(sum(pg_column_size(copied)), 0)::bigint AS bytes FROM (%s) AS copied', query) AS measure
  FROM selected
 ORDER BY selected.name = 'app', selected.name, selected.day;

-- name: list_removals
-- How are the rows of an app removed? One row per table or partition, the app itself last. is_day: days of
-- notifications, which are named by their time, because maintenance may exchange partitions meanwhile.
-- $1 app_id
SELECT class.relname::text AS name, day.starts_at IS NOT NULL AS is_day,
       format('DELETE FROM %I.%I WHERE app_id = %s', namespace.nspname,
              CASE WHEN day.starts_at IS NULL THEN class.relname ELSE 'delivery' END, $1::bigint)
       || CASE WHEN day.starts_at IS NULL THEN ''
               ELSE format(' AND sent_at >= %L AND sent_at < %L', day.starts_at, day.starts_at + interval '24 hours') END
           AS removal
  FROM pg_class AS class
  JOIN pg_namespace AS namespace ON namespace.oid = class.relnamespace
 CROSS JOIN LATERAL (SELECT CASE WHEN class.relispartition AND class.relname ~ '^delivery_\d{8}'
                                 THEN to_date(substr(class.relname, 10, 8), 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC'
                            END AS starts_at) AS day
 WHERE class.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'landfall.app_move'::regclass)
   AND class.relkind = 'r' AND class.relname::text <> ALL ({{staying_tables}}) AND class.relname !~ '^packing_'
   AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = class.oid AND attname = 'app_id' AND NOT attisdropped)
 ORDER BY class.relname = 'app', class.relname;
