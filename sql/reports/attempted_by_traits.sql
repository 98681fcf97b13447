-- How many notifications of each kind were attempted, and how many of these rejected?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours, $4 campaigns and $5 variants to keep
--             (null: all), $6 segments to keep (null: all), $7, $8 and $9 traits of segment.
-- Grain: one row per combination of the three traits.

WITH sent AS (
    SELECT rollup.segment_id,
           sum(rollup.attempted)::bigint                   AS attempted,
           sum(rollup.attempted - rollup.accepted)::bigint AS rejected
      FROM landfall.segment_rollup AS rollup
      LEFT JOIN landfall.campaign ON campaign.app_id = rollup.app_id AND campaign.campaign_id = rollup.campaign_id
     WHERE rollup.app_id = $1
       AND rollup.quarter >= $2 AND rollup.quarter < $3
       AND ($4 IS NULL OR coalesce(campaign.key, '') = ANY ($4))
       AND ($5 IS NULL OR coalesce(campaign.variant, '') = ANY ($5))
       AND ($6::bigint[] IS NULL OR rollup.segment_id = ANY ($6))
     GROUP BY rollup.segment_id
), named AS (
    SELECT
           CASE $7::text
               WHEN 'provider' THEN segment.provider WHEN 'environment' THEN segment.environment
               WHEN 'topic' THEN segment.topic WHEN 'push_type' THEN segment.push_type
               WHEN 'priority' THEN segment.priority WHEN 'platform' THEN segment.platform
               WHEN 'app_version' THEN segment.app_version WHEN 'os_version' THEN segment.os_version
               WHEN 'language' THEN segment.language WHEN 'permission' THEN segment.permission
           END AS first_trait,
           CASE $8::text
               WHEN 'provider' THEN segment.provider WHEN 'environment' THEN segment.environment
               WHEN 'topic' THEN segment.topic WHEN 'push_type' THEN segment.push_type
               WHEN 'priority' THEN segment.priority WHEN 'platform' THEN segment.platform
               WHEN 'app_version' THEN segment.app_version WHEN 'os_version' THEN segment.os_version
               WHEN 'language' THEN segment.language WHEN 'permission' THEN segment.permission
           END AS second_trait,
           CASE $9::text
               WHEN 'provider' THEN segment.provider WHEN 'environment' THEN segment.environment
               WHEN 'topic' THEN segment.topic WHEN 'push_type' THEN segment.push_type
               WHEN 'priority' THEN segment.priority WHEN 'platform' THEN segment.platform
               WHEN 'app_version' THEN segment.app_version WHEN 'os_version' THEN segment.os_version
               WHEN 'language' THEN segment.language WHEN 'permission' THEN segment.permission
           END AS third_trait,
           sent.attempted, sent.rejected
      FROM sent
      LEFT JOIN landfall.segment ON segment.app_id = $1 AND segment.segment_id = sent.segment_id
)
SELECT first_trait, second_trait, third_trait,
       sum(attempted)::bigint AS attempted,
       sum(rejected)::bigint  AS rejected
  FROM named
 GROUP BY first_trait, second_trait, third_trait;
