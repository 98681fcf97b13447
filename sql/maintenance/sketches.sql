-- Sketches of reach: their extension, the days to do, quarter hours, longer spans, the audience.

-- name: find_sketch_extension
-- Which hll does the server offer, and which does the database have (null: none)? No row if none is offered.
SELECT default_version, installed_version FROM pg_available_extensions WHERE name = 'hll';

-- name: create_sketch_extension
-- Creates the functions of HyperLogLog sketches. Only a superuser may, or a user the server's package allows.
CREATE EXTENSION IF NOT EXISTS hll SCHEMA public;

-- name: stale_sketch_days
-- Which UTC days have quarter hours whose sketches are missing or no longer agree with the counters?
-- $1 quarters that began before this instant, $2 limit on the days. Grain: one row per app and day, the
-- latest first. Days whose notifications were dropped are left out: there is nothing to sketch.
WITH counted AS (
    SELECT app_id, quarter, campaign_id,
           sum(notifications)::bigint                                               AS attempted,
           coalesce(sum(notifications) FILTER (WHERE measure.confirmed), 0)::bigint AS confirmed,
           coalesce(sum(notifications) FILTER (WHERE measure.clicked), 0)::bigint   AS clicked
      FROM landfall.headline_by_quarter AS counter
     CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
     WHERE measure.attempted AND quarter < $1
       AND quarter >= coalesce((SELECT kept_from FROM landfall.retention), '-infinity')
     GROUP BY app_id, quarter, campaign_id
    HAVING sum(notifications) > 0
)
SELECT counted.app_id, date_trunc('day', counted.quarter, 'UTC') AS day
  FROM counted
  LEFT JOIN landfall.reach_sketch AS sketch
         ON sketch.app_id = counted.app_id AND sketch.quarters = 1 AND sketch.starts_at = counted.quarter
        AND sketch.campaign_id = counted.campaign_id AND sketch.attempted = counted.attempted
        AND sketch.confirmed = counted.confirmed AND sketch.clicked = counted.clicked
 WHERE sketch.app_id IS NULL
 GROUP BY counted.app_id, day
 ORDER BY day DESC, counted.app_id LIMIT $2;

-- part: replace_sketches
    ON CONFLICT (app_id, quarters, starts_at, campaign_id) DO UPDATE
       SET (targeted, reached, engaged, loose_tokens, without_target, attempted, confirmed, clicked, built_at)
         = (excluded.targeted, excluded.reached, excluded.engaged, excluded.loose_tokens,
            excluded.without_target, excluded.attempted, excluded.confirmed, excluded.clicked,
            excluded.built_at)
    RETURNING 1
)
SELECT count(*) AS built FROM built;

-- name: build_quarter_sketches
-- Builds the sketches of one day's quarter hours that are missing or were built from other notifications. One
-- row: how many.
-- $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours of one UTC day, $4 now, bits of
-- delivery.state:
-- $5 attempted, $6 accepted, $7 any sign that the device had it, $8 clicked.
--
-- The counts next to a sketch come from the rows it was built from, not from the counters: if the two differ,
-- the sketch is never used. All rows of the day have to be read anyway, so all of them are hashed.
--
-- 14 is the logarithm of the number of registers (standard error 1.04 / sqrt(2^14) = 0.8 %), 5 their width in
-- bits; sets of up to 1,280 installations are exact. reach_sketched must use the same values.
WITH aimed AS (
    SELECT date_bin('15 minutes', sent_at, '2000-01-01 00:00:00+00') AS quarter, campaign_id, installation_id, token_id,
           state & $6 <> 0 AND state & $7 <> 0 AS was_reached,
           state & $6 <> 0 AND state & $8 <> 0 AS was_engaged
      FROM landfall.delivery
     WHERE app_id = $1 AND sent_at >= $2 AND sent_at < $3 AND state & $5 <> 0
), sketched AS (
    SELECT quarter, campaign_id,
           hll_add_agg(hll_hash_bigint(installation_id), 14, 5, -1, 1)
               FILTER (WHERE installation_id IS NOT NULL)                                 AS targeted,
           hll_add_agg(hll_hash_bigint(installation_id), 14, 5, -1, 1)
               FILTER (WHERE installation_id IS NOT NULL AND was_reached)                 AS reached,
           hll_add_agg(hll_hash_bigint(installation_id), 14, 5, -1, 1)
               FILTER (WHERE installation_id IS NOT NULL AND was_engaged)                 AS engaged,
           count(*) FILTER (WHERE installation_id IS NULL AND token_id IS NULL)           AS without_target,
           count(*)                                                                       AS attempted,
           count(*) FILTER (WHERE was_reached)                                            AS confirmed,
           count(*) FILTER (WHERE was_engaged)                                            AS clicked
      FROM aimed
     GROUP BY quarter, campaign_id
), loose_token AS (
    SELECT quarter, campaign_id,
           token_id * 4 + max(was_reached::int) + 2 * max(was_engaged::int) AS token_and_stages
      FROM aimed
     WHERE installation_id IS NULL AND token_id IS NOT NULL
     GROUP BY quarter, campaign_id, token_id
), loose AS (
    SELECT quarter, campaign_id, array_agg(token_and_stages ORDER BY token_and_stages) AS loose_tokens
      FROM loose_token
     GROUP BY quarter, campaign_id
), built AS (
    INSERT INTO landfall.reach_sketch AS known (
        app_id, quarters, starts_at, campaign_id, targeted, reached, engaged, loose_tokens, without_target,
        attempted, confirmed, clicked, built_at
    )
    SELECT $1, 1, quarter, campaign_id, hll_send(targeted), hll_send(reached), hll_send(engaged),
           loose.loose_tokens, without_target, attempted, confirmed, clicked, $4
      FROM sketched
      LEFT JOIN loose USING (quarter, campaign_id)
     WHERE NOT EXISTS (
               SELECT 1
                 FROM landfall.reach_sketch AS same
                WHERE same.app_id = $1 AND same.quarters = 1 AND same.starts_at = sketched.quarter
                  AND same.campaign_id = sketched.campaign_id AND same.attempted = sketched.attempted
                  AND same.confirmed = sketched.confirmed AND same.clicked = sketched.clicked)
     ORDER BY quarter, campaign_id
{{replace_sketches}}

-- name: build_span_sketches
-- Merges the sketches of one day's quarter hours into those of hours, of four hours and of the day, each by
-- campaign and for the whole app. One row: how many.
-- $1 app, $2 from (inclusive) and $3 to (exclusive) of a UTC day, $4 now
--
-- A span is built only if its counts equal those of the counters now: a span with a missing or stale quarter
-- hour waits for the next run.
WITH level (quarters, is_whole) AS (
    VALUES (1, true), (4, true), (16, true), (96, true), (4, false), (16, false), (96, false)
), counted AS (
    SELECT level.quarters,
           date_bin(level.quarters * interval '15 minutes', counter.quarter, '2000-01-01 00:00:00+00') AS starts_at,
           CASE WHEN level.is_whole THEN 0 ELSE counter.campaign_id END AS campaign_id,
           sum(counter.notifications)::bigint                                               AS attempted,
           coalesce(sum(counter.notifications) FILTER (WHERE measure.confirmed), 0)::bigint AS confirmed,
           coalesce(sum(counter.notifications) FILTER (WHERE measure.clicked), 0)::bigint   AS clicked
      FROM landfall.headline_by_quarter AS counter
     CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
     CROSS JOIN level
     WHERE counter.app_id = $1 AND counter.quarter >= $2 AND counter.quarter < $3 AND measure.attempted
     GROUP BY 1, 2, 3
), piece AS (
    SELECT level.quarters,
           date_bin(level.quarters * interval '15 minutes', sketch.starts_at, '2000-01-01 00:00:00+00') AS starts_at,
           CASE WHEN level.is_whole THEN 0 ELSE sketch.campaign_id END AS campaign_id,
           sketch.targeted, sketch.reached, sketch.engaged, sketch.loose_tokens, sketch.without_target,
           sketch.attempted, sketch.confirmed, sketch.clicked
      FROM landfall.reach_sketch AS sketch
     CROSS JOIN level
     WHERE sketch.app_id = $1 AND sketch.quarters = 1 AND sketch.campaign_id <> 0
       AND sketch.starts_at >= $2 AND sketch.starts_at < $3
), united AS (
    SELECT quarters, starts_at, campaign_id,
           hll_union_agg(targeted::hll) AS targeted,
           hll_union_agg(reached::hll)  AS reached,
           hll_union_agg(engaged::hll)  AS engaged,
           sum(without_target)          AS without_target,
           sum(attempted)               AS attempted,
           sum(confirmed)               AS confirmed,
           sum(clicked)                 AS clicked
      FROM piece
     GROUP BY quarters, starts_at, campaign_id
), loose_token AS (
    SELECT quarters, starts_at, campaign_id, (token_and_stages >> 2) * 4 + bit_or(token_and_stages & 3) AS token_and_stages
      FROM piece
     CROSS JOIN LATERAL unnest(loose_tokens) AS token_and_stages
     GROUP BY quarters, starts_at, campaign_id, token_and_stages >> 2
), loose AS (
    SELECT quarters, starts_at, campaign_id, array_agg(token_and_stages ORDER BY token_and_stages) AS loose_tokens
      FROM loose_token
     GROUP BY quarters, starts_at, campaign_id
), built AS (
    INSERT INTO landfall.reach_sketch AS known (
        app_id, quarters, starts_at, campaign_id, targeted, reached, engaged, loose_tokens, without_target,
        attempted, confirmed, clicked, built_at
    )
    SELECT $1, quarters, starts_at, campaign_id, hll_send(targeted), hll_send(reached), hll_send(engaged),
           loose.loose_tokens, without_target, attempted, confirmed, clicked, $4
      FROM united
      JOIN counted USING (quarters, starts_at, campaign_id, attempted, confirmed, clicked)
      LEFT JOIN loose USING (quarters, starts_at, campaign_id)
     WHERE NOT EXISTS (
               SELECT 1
                 FROM landfall.reach_sketch AS same
                WHERE same.app_id = $1 AND same.quarters = united.quarters AND same.starts_at = united.starts_at
                  AND same.campaign_id = united.campaign_id AND same.attempted = united.attempted
                  AND same.confirmed = united.confirmed AND same.clicked = united.clicked)
     ORDER BY quarters, starts_at, campaign_id
{{replace_sketches}}

-- name: store_audience
-- Stores the size of an app's audience. $1 app, $2 size, $3 now
INSERT INTO landfall.audience_count (app_id, audience, counted_at) VALUES ($1, $2, $3)
ON CONFLICT (app_id) DO UPDATE SET audience = excluded.audience, counted_at = excluded.counted_at;
