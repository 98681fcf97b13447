-- Sketches the quarter hours of one day whose sketches are missing or say something else than the counters. One row: how many.
-- $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours of one UTC day, $4 now,
-- bits of delivery.state: $5 attempted, $6 accepted, $7 any sign that the device had it, $8 clicked.
--
-- The sums beside a sketch are those of the rows it was made of, and not read from the counters: where the two disagree, it is never
-- used. 14 is the logarithm of the number of registers (standard error 1.04 / sqrt(2^14) = 0.8 %), 5 their width in bits; sets
-- of up to 1,280 installations are kept exactly. reach_sketched.sql has to say the same.
WITH counted AS (
    SELECT quarter, campaign_id,
           sum(attempted)::bigint AS attempted, sum(confirmed)::bigint AS confirmed, sum(clicked)::bigint AS clicked
      FROM landfall.delivery_rollup
     WHERE app_id = $1 AND quarter >= $2 AND quarter < $3
     GROUP BY quarter, campaign_id
    HAVING sum(attempted) > 0
), stale AS (
    SELECT counted.quarter, counted.campaign_id
      FROM counted
      LEFT JOIN landfall.reach_sketch AS sketch
             ON sketch.app_id = $1 AND sketch.quarters = 1 AND sketch.starts_at = counted.quarter
            AND sketch.campaign_id = counted.campaign_id AND sketch.attempted = counted.attempted
            AND sketch.confirmed = counted.confirmed AND sketch.clicked = counted.clicked
     WHERE sketch.app_id IS NULL
), aimed AS (
    SELECT stale.quarter, stale.campaign_id, delivery.installation_id, delivery.token_id,
           delivery.state & $6 <> 0 AND delivery.state & $7 <> 0 AS was_reached,
           delivery.state & $6 <> 0 AND delivery.state & $8 <> 0 AS was_engaged
      FROM landfall.delivery
      JOIN stale ON stale.quarter = date_bin('15 minutes', delivery.sent_at, '2000-01-01 00:00:00+00')
                AND stale.campaign_id = delivery.campaign_id
     WHERE delivery.app_id = $1
       AND delivery.sent_at >= $2 AND delivery.sent_at < $3
       AND delivery.state & $5 <> 0
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
     ORDER BY quarter, campaign_id
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
