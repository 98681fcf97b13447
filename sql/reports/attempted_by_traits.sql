-- How many notifications with each combination of traits were attempted, and how many of these were rejected?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours, $4 campaigns and $5 variants to keep
--             (null: all), $6 segments to keep (null: all), $7, $8 and $9 traits of segment.
-- Grain: one row per combination of the three traits.

WITH sent AS (
    SELECT counter.segment_id,
           sum(counter.notifications)::bigint                                              AS attempted,
           coalesce(sum(counter.notifications) FILTER (WHERE measure.rejected), 0)::bigint AS rejected
      FROM landfall.counters($1, $2, $3, 'UTC', NULL, true) AS counter
     CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
     WHERE measure.attempted
       AND ($6::bigint[] IS NULL OR counter.segment_id = ANY ($6))
       AND ($4 IS NULL AND $5 IS NULL
            OR (counter.campaign_id IN (SELECT campaign_id FROM landfall.campaign
                                         WHERE app_id = $1
                                           AND ($4 IS NULL OR key = ANY ($4)) AND ($5 IS NULL OR variant = ANY ($5)))) IS TRUE)
     GROUP BY counter.segment_id
    HAVING sum(counter.notifications) <> 0
), named AS (
    SELECT segment.first_trait, segment.second_trait, segment.third_trait, sent.attempted, sent.rejected
      FROM sent
      LEFT JOIN LATERAL (SELECT landfall.segment_trait(segment, $7) AS first_trait,
                                landfall.segment_trait(segment, $8) AS second_trait,
                                landfall.segment_trait(segment, $9) AS third_trait
                           FROM landfall.segment
                          WHERE segment_id = sent.segment_id
                         OFFSET 0) AS segment ON true
)
SELECT first_trait, second_trait, third_trait,
       sum(attempted)::bigint AS attempted,
       sum(rejected)::bigint  AS rejected
  FROM named
 GROUP BY first_trait, second_trait, third_trait;
