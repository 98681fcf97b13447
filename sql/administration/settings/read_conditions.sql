-- Which notes of an unusual condition of the database are there? One row per source, with the age of the note in milliseconds.
-- $1 name
SELECT source, noted_at, detail::text AS detail,
       (extract(epoch FROM clock_timestamp() - noted_at) * 1000)::bigint AS age
  FROM landfall.database_condition
 WHERE name = $1
 ORDER BY source;
