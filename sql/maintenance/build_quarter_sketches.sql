-- Builds the sketches of one day's quarter hours that are missing or were built from other notifications. One row: how many.
-- $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours of one UTC day, $4 now, bits of delivery.state:
-- $5 attempted, $6 accepted, $7 any sign that the device had it, $8 clicked.
--
-- The counts next to a sketch come from the rows it was built from, not from the counters: if the two differ, the sketch is never
-- used. All rows of the day have to be read anyway, so all of them are hashed.
--
-- 14 is the logarithm of the number of registers (standard error 1.04 / sqrt(2^14) = 0.8 %), 5 their width in bits; sets of up to
-- 1,280 installations are exact. reach_sketched.sql must use the same values.
WITH aimed AS (
    SELECT date_bin('15 minutes', sent_at, '2000-01-01 00:00:00+00') AS quarter, campaign_id, installation_id, token_id,
           state & $6 <> 0 AND state & $7 <> 0 AS was_reached,
           state & $6 <> 0 AND state & $8 <> 0 AS was_engaged
      FROM landfall.delivery
     WHERE app_id = $1
       AND sent_at >= $2 AND sent_at < $3
       AND state & $5 <> 0
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
