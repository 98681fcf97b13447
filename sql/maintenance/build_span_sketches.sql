-- Merges the sketches of one day's quarter hours into those of hours, of four hours and of the day, each by campaign and for the
-- whole app. One row: how many.
-- $1 app, $2 from (inclusive) and $3 to (exclusive) of a UTC day, $4 now
--
-- A span is built only if its counts equal those of the counters now: a span with a missing or stale quarter hour waits for the
-- next run.
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
     WHERE counter.app_id = $1 AND counter.quarter >= $2 AND counter.quarter < $3
       AND measure.attempted
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
    ON CONFLICT (app_id, quarters, starts_at, campaign_id) DO UPDATE SET
        targeted       = excluded.targeted,
        reached        = excluded.reached,
        engaged        = excluded.engaged,
        loose_tokens   = excluded.loose_tokens,
        without_target = excluded.without_target,
        attempted      = excluded.attempted,
        confirmed      = excluded.confirmed,
        clicked        = excluded.clicked,
        built_at       = excluded.built_at
    RETURNING 1
)
SELECT count(*) AS built FROM built;
