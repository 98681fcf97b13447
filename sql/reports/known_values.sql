-- Which values of a dimension has an app ever had?
--
-- Parameters: $1 app, $2 the dimension: campaign, variant, or a column of segment.
-- Grain: one row per value; the empty one means none or unknown.

SELECT DISTINCT value
  FROM (
    SELECT CASE $2 WHEN 'campaign' THEN key WHEN 'variant' THEN variant END AS value
      FROM landfall.campaign
     WHERE app_id = $1 AND $2 IN ('campaign', 'variant')
     UNION ALL
    SELECT CASE $2
               WHEN 'push_type'   THEN push_type
               WHEN 'priority'    THEN priority
               WHEN 'provider'    THEN provider
               WHEN 'environment' THEN environment
               WHEN 'topic'       THEN topic
               WHEN 'platform'    THEN platform
               WHEN 'app_version' THEN app_version
               WHEN 'os_version'  THEN os_version
               WHEN 'language'    THEN language
               WHEN 'permission'  THEN permission
           END
      FROM landfall.segment
     WHERE app_id = $1 AND $2 NOT IN ('campaign', 'variant')
  ) AS known
 WHERE value IS NOT NULL
 ORDER BY value;
