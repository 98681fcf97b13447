-- Keeps rejected items with their text and the reason, and counts them.
-- $1 app_id[], $2 code[], $3 detail[], $4 poster[], $5 digest[], $6 sealed_text[], $7 how often each was posted[]; each digest of
-- an app once, sorted by app and digest, so that concurrent batches wait for each other in one order; $8 now, $9 shard.
--
-- An item that is already there is counted as repeated. DO NOTHING does not lock it, so a client that repeats itself indefinitely
-- blocks no other.
WITH item AS (
    SELECT * FROM unnest(
        $1::bigint[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::bytea[], $7::bigint[]
    ) AS item (app_id, code, detail, poster, digest, sealed_text, posted)
), kept AS (
    INSERT INTO landfall.quarantined_item (app_id, received_at, code, detail, poster, digest, sealed_text)
    SELECT app_id, $8, code, detail, poster, digest, sealed_text FROM item
    ON CONFLICT (app_id, digest) DO NOTHING
    RETURNING app_id, poster, octet_length(sealed_text) AS bytes
), counted AS (
    SELECT app_id, poster, sum(kept) AS kept, sum(bytes) AS bytes, sum(posted) - sum(kept) AS repeated
      FROM (SELECT app_id, poster, 0 AS kept, 0 AS bytes, posted FROM item
            UNION ALL
            SELECT app_id, poster, 1, bytes, 0 FROM kept) AS entry
     GROUP BY app_id, poster
)
INSERT INTO landfall.quarantine_count AS known (app_id, poster, shard, kept, kept_bytes, repeated)
SELECT app_id, poster, $9, kept, bytes, repeated FROM counted ORDER BY app_id, poster
ON CONFLICT (app_id, poster, shard) DO UPDATE SET
    kept       = known.kept + excluded.kept,
    kept_bytes = known.kept_bytes + excluded.kept_bytes,
    repeated   = known.repeated + excluded.repeated;
