-- Reach from sketches, for windows that have any.

-- name: has_sketches
-- Does this window have any sketches?
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive).
-- Grain: one row.
SELECT EXISTS (
           SELECT 1
             FROM landfall.reach_sketch
            WHERE app_id = $1 AND quarters = 1 AND starts_at >= $2 AND starts_at < $3
       ) AS has_sketches;

-- name: reach_sketched
-- How many installations were targeted, reached and engaged, from sketches where these are still valid?
--
-- Parameters: $1 to $9 as in questions.sql, bits of delivery.state: $10 attempted, $11 accepted, $12 any sign
--             that the device had it, $13 clicked.
-- Grain: one row per local period, campaign and variant, as requested; in order of time, then the largest
-- first. The last row (is_total is true) is distinct over the whole window.
--
-- A sketch is valid while its counts equal those of the counters. Each quarter hour is read from the longest
-- span around it (a UTC day, four hours, an hour, itself) whose sketch is valid and which is inside the
-- window and inside one row of the report. The rest (the last hours, and quarter hours with late events) is
-- hashed from the notifications, so that the result is never older than the counters.

WITH counted_day AS (
    -- Campaign 0 is all campaigns together, if the report does not tell campaigns apart.
    SELECT CASE WHEN $6 OR $7 OR $8 IS NOT NULL OR $9 IS NOT NULL THEN counter.campaign_id ELSE 0 END AS campaign_id,
           whole.day AS starts_at, whole.period,
           sum(counter.notifications)                                               AS attempted,
           coalesce(sum(counter.notifications) FILTER (WHERE measure.confirmed), 0) AS confirmed,
           coalesce(sum(counter.notifications) FILTER (WHERE measure.clicked), 0)   AS clicked
      FROM landfall.report_days($2, $3, $4, $5) AS whole
     CROSS JOIN LATERAL (
               SELECT campaign_id, state, notifications
                 FROM landfall.counter
                WHERE grain = 'headline_day' AND app_id = $1 AND starts_at = whole.day
               UNION ALL
               SELECT campaign_id, state, notifications
                 FROM landfall.counter_live
                WHERE app_id = $1 AND quarter >= whole.day AND quarter < whole.day + interval '24 hours'
               OFFSET 0
           ) AS counter
     CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
     WHERE measure.attempted
       AND landfall.report_period(whole.day, $4, $5)
           IS NOT DISTINCT FROM landfall.report_period(whole.day + interval '23 hours 45 minutes', $4, $5)
       AND {{is_selected(counter.campaign_id; $1; $8; $9)}}
     GROUP BY 1, 2, 3
    HAVING sum(counter.notifications) > 0
), held_days AS (
    SELECT counted_day.period, NULL::integer AS utc_offset_minutes, counted_day.campaign_id, counted_day.starts_at, sketch.*
      FROM counted_day
     CROSS JOIN LATERAL (SELECT targeted, reached, engaged, loose_tokens, without_target FROM landfall.reach_sketch
                          WHERE app_id = $1 AND quarters = 96 AND starts_at = counted_day.starts_at
                            AND campaign_id = counted_day.campaign_id AND attempted = counted_day.attempted
                            AND confirmed = counted_day.confirmed AND clicked = counted_day.clicked
                         OFFSET 0) AS sketch
), open_day AS (
    -- The days, also in part, that are not held completely. Only of these are quarter hours read.
    SELECT starts_at
      FROM generate_series(date_bin('24 hours', $2, '2000-01-01 00:00:00+00'), $3 - interval '15 minutes',
                           interval '24 hours') AS starts_at
     WHERE starts_at NOT IN (SELECT counted_day.starts_at
                               FROM counted_day
                               FULL JOIN held_days ON held_days.starts_at = counted_day.starts_at
                                                  AND held_days.campaign_id = counted_day.campaign_id
                              GROUP BY counted_day.starts_at
                             HAVING count(held_days.starts_at) = count(*))
), outside_days AS (
    SELECT counted.campaign_id, counted.quarter, counted.attempted, counted.confirmed, counted.clicked,
           landfall.report_period(counted.quarter, $4, $5) AS period,
           landfall.report_utc_offset(counted.quarter, $4, $5) AS utc_offset_minutes
      FROM (SELECT CASE WHEN $6 OR $7 OR $8 IS NOT NULL OR $9 IS NOT NULL THEN counter.campaign_id ELSE 0 END AS campaign_id,
                   counter.quarter,
                   sum(counter.notifications)                                               AS attempted,
                   coalesce(sum(counter.notifications) FILTER (WHERE measure.confirmed), 0) AS confirmed,
                   coalesce(sum(counter.notifications) FILTER (WHERE measure.clicked), 0)   AS clicked
              FROM open_day
             CROSS JOIN LATERAL (
                       SELECT quarter, campaign_id, state, notifications
                         FROM landfall.headline_by_quarter
                        WHERE app_id = $1
                          AND quarter >= greatest($2::timestamptz, open_day.starts_at)
                          AND quarter < least($3::timestamptz, open_day.starts_at + interval '24 hours')
                       OFFSET 0
                   ) AS counter
             CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
             WHERE measure.attempted
               AND {{is_selected(counter.campaign_id; $1; $8; $9)}}
             GROUP BY 1, 2
            HAVING sum(counter.notifications) > 0) AS counted
     WHERE ((counted.campaign_id, date_bin('24 hours', counted.quarter, '2000-01-01 00:00:00+00'))
            IN (SELECT campaign_id, starts_at FROM held_days)) IS NOT TRUE
), held_four_hours AS (
    SELECT span.period, span.utc_offset_minutes, span.campaign_id, sketch.*
      FROM (SELECT campaign_id, date_bin('4 hours', quarter, '2000-01-01 00:00:00+00') AS starts_at,
                   min(period) AS period, min(utc_offset_minutes) AS utc_offset_minutes,
                   sum(attempted) AS attempted, sum(confirmed) AS confirmed, sum(clicked) AS clicked
              FROM outside_days
             GROUP BY 1, 2
            HAVING min(period) IS NOT DISTINCT FROM max(period)
               AND min(utc_offset_minutes) IS NOT DISTINCT FROM max(utc_offset_minutes)) AS span
      CROSS JOIN LATERAL (SELECT starts_at, targeted, reached, engaged, loose_tokens, without_target FROM landfall.reach_sketch
                           WHERE app_id = $1 AND quarters = 16 AND starts_at = span.starts_at
                             AND campaign_id = span.campaign_id AND attempted = span.attempted
                             AND confirmed = span.confirmed AND clicked = span.clicked
                          OFFSET 0) AS sketch
     WHERE sketch.starts_at >= $2 AND sketch.starts_at + interval '4 hours' <= $3 AND sketch.starts_at < $3
), outside_four_hours AS (
    SELECT cell.*
      FROM outside_days AS cell
     WHERE ((cell.campaign_id, date_bin('4 hours', cell.quarter, '2000-01-01 00:00:00+00'))
            IN (SELECT campaign_id, starts_at FROM held_four_hours)) IS NOT TRUE
), held_hours AS (
    SELECT span.period, span.utc_offset_minutes, span.campaign_id, sketch.*
      FROM (SELECT campaign_id, date_bin('1 hour', quarter, '2000-01-01 00:00:00+00') AS starts_at,
                   min(period) AS period, min(utc_offset_minutes) AS utc_offset_minutes,
                   sum(attempted) AS attempted, sum(confirmed) AS confirmed, sum(clicked) AS clicked
              FROM outside_four_hours
             GROUP BY 1, 2
            HAVING min(period) IS NOT DISTINCT FROM max(period)
               AND min(utc_offset_minutes) IS NOT DISTINCT FROM max(utc_offset_minutes)) AS span
      CROSS JOIN LATERAL (SELECT starts_at, targeted, reached, engaged, loose_tokens, without_target FROM landfall.reach_sketch
                           WHERE app_id = $1 AND quarters = 4 AND starts_at = span.starts_at
                             AND campaign_id = span.campaign_id AND attempted = span.attempted
                             AND confirmed = span.confirmed AND clicked = span.clicked
                          OFFSET 0) AS sketch
     WHERE sketch.starts_at >= $2 AND sketch.starts_at + interval '1 hour' <= $3 AND sketch.starts_at < $3
), outside_hours AS (
    SELECT cell.*
      FROM outside_four_hours AS cell
     WHERE ((cell.campaign_id, date_bin('1 hour', cell.quarter, '2000-01-01 00:00:00+00'))
            IN (SELECT campaign_id, starts_at FROM held_hours)) IS NOT TRUE
), held_quarters AS (
    SELECT cell.period, cell.utc_offset_minutes, cell.campaign_id, sketch.*
      FROM outside_hours AS cell
      CROSS JOIN LATERAL (SELECT starts_at, targeted, reached, engaged, loose_tokens, without_target FROM landfall.reach_sketch
                           WHERE app_id = $1 AND quarters = 1 AND starts_at = cell.quarter
                             AND campaign_id = cell.campaign_id AND attempted = cell.attempted
                             AND confirmed = cell.confirmed AND clicked = cell.clicked
                          OFFSET 0) AS sketch
     WHERE sketch.starts_at >= $2 AND sketch.starts_at < $3
), left_over AS (
    SELECT cell.*
      FROM outside_hours AS cell
     WHERE ((cell.campaign_id, cell.quarter)
            IN (SELECT campaign_id, starts_at FROM held_quarters)) IS NOT TRUE
), sketched AS (
    SELECT period, utc_offset_minutes, campaign_id, targeted::hll AS targeted, reached::hll AS reached,
           engaged::hll AS engaged, loose_tokens, without_target
      FROM (SELECT * FROM held_days
            UNION ALL SELECT * FROM held_four_hours
            UNION ALL SELECT * FROM held_hours
            UNION ALL SELECT * FROM held_quarters) AS held
), left_over_span AS (
    -- One span per partition: delivery's index does not lead to a quarter hour, so each span reads all of it.
    SELECT min(quarter) AS starts_at, max(quarter) + interval '15 minutes' AS ends_at
      FROM left_over
     GROUP BY date_trunc('day', quarter, 'UTC')
), sent AS (
    SELECT sent.quarter, sent.campaign_id, sent.installation_id, sent.token_id, sent.state
      FROM left_over_span
     CROSS JOIN LATERAL (
               SELECT date_bin('15 minutes', delivery.sent_at, '2000-01-01 00:00:00+00') AS quarter,
                      CASE WHEN $6 OR $7 OR $8 IS NOT NULL OR $9 IS NOT NULL THEN delivery.campaign_id ELSE 0 END
                          AS campaign_id,
                      delivery.installation_id, delivery.token_id, delivery.state
                 FROM landfall.delivery
                WHERE delivery.app_id = $1 AND delivery.sent_at >= $2 AND delivery.sent_at < $3
                  AND delivery.sent_at >= left_over_span.starts_at
                  AND delivery.sent_at < left_over_span.ends_at
                  AND delivery.state & $10 <> 0
               -- OFFSET 0 keeps this subquery separate, so that only the partitions of these spans are read.
               OFFSET 0
           ) AS sent
), placed AS (
    -- A full join is never a nested loop, however few rows the planner expects (docs/decisions/0032).
    SELECT left_over.quarter, left_over.period, left_over.utc_offset_minutes, left_over.campaign_id,
           sent.installation_id, sent.token_id, sent.state
      FROM sent
      FULL JOIN left_over ON left_over.quarter = sent.quarter AND left_over.campaign_id = sent.campaign_id
    OFFSET 0
), aimed AS (
    SELECT period, utc_offset_minutes, campaign_id, installation_id, token_id,
           state & $11 <> 0 AND state & $12 <> 0 AS was_reached,
           state & $11 <> 0 AND state & $13 <> 0 AS was_engaged
      FROM placed
     WHERE quarter IS NOT NULL AND state IS NOT NULL
    UNION ALL
    SELECT period, utc_offset_minutes, campaign_id, NULL, token_and_stages >> 2,
           bit_or(token_and_stages & 1) <> 0, bit_or(token_and_stages & 2) <> 0
      FROM sketched
     CROSS JOIN LATERAL unnest(loose_tokens) AS token_and_stages
     GROUP BY period, utc_offset_minutes, campaign_id, token_and_stages >> 2
), targeted AS (
    SELECT aimed.period, aimed.utc_offset_minutes, aimed.campaign_id, aimed.was_reached, aimed.was_engaged,
           coalesce(aimed.installation_id, owner.installation_id, -aimed.token_id) AS target_id
      FROM aimed
       -- One lookup for each token that no installation held when pushed; the other rows cost nothing.
      LEFT JOIN LATERAL (
               SELECT token.installation_id
                 FROM landfall.token
                WHERE aimed.installation_id IS NULL
                  AND token.app_id = $1 AND token.token_id = aimed.token_id
                LIMIT 1
           ) AS owner ON true
), piece AS (
    SELECT period, utc_offset_minutes, campaign_id, targeted, reached, engaged, without_target
      FROM sketched
    UNION ALL
    -- The same values as in build_quarter_sketches.
    SELECT period, utc_offset_minutes, campaign_id,
           hll_add_agg(hll_hash_bigint(target_id), 14, 5, -1, 1) FILTER (WHERE target_id IS NOT NULL),
           hll_add_agg(hll_hash_bigint(target_id), 14, 5, -1, 1) FILTER (WHERE target_id IS NOT NULL AND was_reached),
           hll_add_agg(hll_hash_bigint(target_id), 14, 5, -1, 1) FILTER (WHERE target_id IS NOT NULL AND was_engaged),
           count(*) FILTER (WHERE target_id IS NULL)
      FROM targeted
     GROUP BY period, utc_offset_minutes, campaign_id
), named AS (
    -- A full join is never a nested loop, even for few expected rows. Names without rows are dropped below.
    SELECT piece.*,
           CASE WHEN $6 THEN coalesce(campaign.key, '') END AS campaign,
           CASE WHEN $7 THEN coalesce(campaign.variant, '') END AS variant
      FROM piece
      FULL JOIN (SELECT campaign_id, key, variant FROM landfall.campaign
                  WHERE app_id = $1 AND ($6 OR $7)) AS campaign ON campaign.campaign_id = piece.campaign_id
    OFFSET 0
), united AS (
    SELECT period, utc_offset_minutes, campaign, variant,
           hll_union_agg(targeted)     AS targeted,
           hll_union_agg(reached)      AS reached,
           hll_union_agg(engaged)      AS engaged,
           sum(without_target)::bigint AS without_target
      FROM named
     WHERE without_target IS NOT NULL
     GROUP BY period, utc_offset_minutes, campaign, variant
)
SELECT to_char(period, 'YYYY-MM-DD"T"HH24:MI:SS')            AS period,
       utc_offset_minutes, campaign, variant, false          AS is_total,
       coalesce(round(hll_cardinality(targeted)), 0)::bigint AS targeted,
       coalesce(round(hll_cardinality(reached)), 0)::bigint  AS reached,
       coalesce(round(hll_cardinality(engaged)), 0)::bigint  AS engaged,
       without_target
  FROM united
UNION ALL
SELECT NULL, NULL, NULL, NULL, true,
       coalesce(round(hll_cardinality(hll_union_agg(targeted))), 0)::bigint,
       coalesce(round(hll_cardinality(hll_union_agg(reached))), 0)::bigint,
       coalesce(round(hll_cardinality(hll_union_agg(engaged))), 0)::bigint,
       coalesce(sum(without_target), 0)::bigint
  FROM united
 ORDER BY is_total, period, utc_offset_minutes DESC, targeted DESC, campaign, variant;
