-- By which responses were notifications rejected, and what is known about these responses?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours, $4 IANA time zone,
--             $5 unit of local time to break down by (hour, day, week, month; null: none), $6 break down by campaign,
--             $7 break down by variant, $8 campaigns and $9 variants to keep (null: all),
--             $10 and $11 traits of segment to break down by (null: none), $12 segments to keep (null: all),
--             $13 a third trait to break down by (null: none).
-- Grain: one row per local period, campaign, variant and trait, as requested, and response; in order of time, then the most
-- frequent first.

WITH counted AS (
    -- CASE shows the planner which of these are always null. Otherwise it would expect a group for each combination, and sort.
    SELECT CASE WHEN $5 IS NOT NULL THEN counter.period END AS period,
           CASE WHEN $5 = 'hour' THEN counter.utc_offset_minutes END AS utc_offset_minutes,
           CASE WHEN $6 OR $7 THEN counter.campaign_id END AS campaign_id,
           counter.segment_id, counter.response_id, sum(counter.notifications)::bigint AS rejected
      FROM landfall.counters($1, $2, $3, $4, $5, true) AS counter
     WHERE counter.response_id <> 0
       AND ($12::bigint[] IS NULL OR counter.segment_id = ANY ($12))
       AND ($8 IS NULL AND $9 IS NULL
            OR (counter.campaign_id IN (SELECT campaign_id FROM landfall.campaign
                                         WHERE app_id = $1
                                           AND ($8 IS NULL OR key = ANY ($8)) AND ($9 IS NULL OR variant = ANY ($9)))) IS TRUE)
     GROUP BY 1, 2, 3, 4, 5
), named AS (
    -- A full join is never a nested loop, however few rows the planner expects. Names without counters are dropped below.
    SELECT counted.*,
           CASE WHEN $6 THEN coalesce(campaign.key, '') END AS campaign,
           CASE WHEN $7 THEN coalesce(campaign.variant, '') END AS variant,
           segment.first_trait, segment.second_trait, segment.third_trait
      FROM counted
      FULL JOIN (SELECT campaign_id, key, variant
                   FROM landfall.campaign
                  WHERE app_id = $1 AND ($6 OR $7)) AS campaign ON campaign.campaign_id = counted.campaign_id
      FULL JOIN (SELECT segment_id,
                        landfall.segment_trait(segment, $10) AS first_trait,
                        landfall.segment_trait(segment, $11) AS second_trait,
                        landfall.segment_trait(segment, $13) AS third_trait
                   FROM landfall.segment
                  WHERE app_id = $1) AS segment ON segment.segment_id = counted.segment_id
    OFFSET 0
), told AS (
    SELECT period, utc_offset_minutes, campaign, variant, first_trait, second_trait, third_trait, response_id,
           sum(rejected)::bigint AS rejected
      FROM named
     WHERE rejected IS NOT NULL
     GROUP BY period, utc_offset_minutes, campaign, variant, first_trait, second_trait, third_trait, response_id
    HAVING sum(rejected) <> 0
), response AS MATERIALIZED (
    SELECT asked.response_id, known.provider, known.status, known.reason, known.outcome_class, listed.retryable,
           listed.token_verdict
      FROM (SELECT DISTINCT response_id FROM told) AS asked
     CROSS JOIN LATERAL (SELECT provider, status, reason, outcome_class
                           FROM landfall.provider_response
                          WHERE response_id = asked.response_id
                         OFFSET 0) AS known
      LEFT JOIN LATERAL landfall.listed_response(known.provider, known.status, known.reason) AS listed ON true
)
SELECT to_char(period, 'YYYY-MM-DD"T"HH24:MI:SS') AS period, utc_offset_minutes, campaign, variant, first_trait, second_trait,
       third_trait,
       response.provider,
       response.status,
       nullif(response.reason, '') AS reason,
       response.outcome_class,
       response.retryable,
       response.token_verdict,
       rejected
  FROM told
  FULL JOIN response ON response.response_id = told.response_id
 ORDER BY told.period, utc_offset_minutes DESC, rejected DESC, campaign, variant, first_trait, second_trait, third_trait,
          provider, status, reason;
