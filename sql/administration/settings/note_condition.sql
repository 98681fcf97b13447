-- Notes what is out of the ordinary about the database, in place of what the same source noted under the same name before. Notes that
-- their sources have not repeated for two days go.
-- $1 name, $2 source, $3 the figures as JSON
WITH forgotten AS (
    DELETE FROM landfall.database_condition
     WHERE name = $1 AND source <> $2 AND noted_at < clock_timestamp() - interval '2 days'
)
INSERT INTO landfall.database_condition AS known (name, source, noted_at, detail)
VALUES ($1, $2, clock_timestamp(), $3::text::jsonb)
ON CONFLICT (name, source) DO UPDATE SET noted_at = excluded.noted_at, detail = excluded.detail;
