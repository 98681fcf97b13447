-- Adds to the counts of breakers for this minute.
-- $1 app_id[], $2 environment[], $3 topic[], $4 attempted[], $5 retired[], sorted by app_id, environment and topic; $6 shard,
-- $7 place of the minute in the ring, $8 start of the minute
INSERT INTO landfall.token_breaker_minute AS known (app_id, environment, topic, shard, place, minute, attempted, retired)
SELECT app_id, environment, topic, $6, $7, $8, attempted, retired
FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::bigint[])
     AS counted (app_id, environment, topic, attempted, retired)
ON CONFLICT (app_id, environment, topic, shard, place) DO UPDATE
SET minute    = excluded.minute,
    attempted = excluded.attempted + CASE WHEN known.minute = excluded.minute THEN known.attempted ELSE 0 END,
    retired   = excluded.retired + CASE WHEN known.minute = excluded.minute THEN known.retired ELSE 0 END
WHERE known.minute <= excluded.minute;
