-- Permissions to show notifications, and what pushes change about them.

-- name: permissions
-- How many installations had which permission at the end of each period, and how many changed it?
--
-- Parameters: $1 app, $2 starts of the periods[], ascending, $3 end of the last one (exclusive), $4 and $5
-- traits of installation to break down by (null: none), $6 platforms, $7 versions of the app, $8 versions of
--             the OS and $9 languages to keep (null: all).
-- Grain: one row per period, from 1, and traits; only rows with a change. asked, turned_off and turned_on
-- count changes in the period. All others are differences from the end of the period before it; the first
-- period has everything before the window.
--
-- Traits and settings are those of the last registration. Periods of a permission follow one another: each
-- ends when the next one starts. The order of a window function brings installations and their periods
-- together, because the planner expects one row from each table without statistics and would join badly
-- (docs/decisions/0032).

WITH step AS (
    -- The permission of an installation is unknown until one is registered.
    SELECT installation_id, first_registered_at AS starts_at, '' AS permission, permission AS reported,
           coalesce('alert' = ANY (turned_off), false) AS has_alerts_off,
           CASE $4::text WHEN 'platform' THEN platform WHEN 'app_version' THEN app_version
                         WHEN 'os_version' THEN os_version WHEN 'language' THEN language END AS first_trait,
           CASE $5::text WHEN 'platform' THEN platform WHEN 'app_version' THEN app_version
                         WHEN 'os_version' THEN os_version WHEN 'language' THEN language END AS second_trait
      FROM landfall.installation
     WHERE app_id = $1
       AND erased_at IS NULL
       AND ($6::text[] IS NULL OR platform = ANY ($6))
       AND ($7::text[] IS NULL OR app_version = ANY ($7))
       AND ($8::text[] IS NULL OR os_version = ANY ($8))
       AND ($9::text[] IS NULL OR language = ANY ($9))
    UNION ALL
    SELECT installation_id, started_at, permission, NULL, NULL, NULL, NULL
      FROM landfall.permission_period
     WHERE app_id = $1
), life AS (
    SELECT starts_at, width_bucket(starts_at, $2::timestamptz[]) AS period,
           -- An imported permission has no period.
           CASE WHEN reported <> '' AND lead(permission) OVER own IS NULL THEN reported ELSE permission END AS permission,
           lag(permission) OVER own                                                          AS former,
           count(*) FILTER (WHERE permission NOT IN ('', 'not_determined')) OVER own         AS answers,
           lead(permission) OVER own IS NULL AND first_value(has_alerts_off) OVER own        AS has_alerts_off,
           first_value(first_trait) OVER own AS first_trait, first_value(second_trait) OVER own AS second_trait,
           first_value(reported) OVER own IS NOT NULL                                        AS is_selected
      FROM step
    WINDOW own AS (PARTITION BY installation_id ORDER BY reported IS NULL, starts_at)
)
SELECT greatest(period, 1) AS period, first_trait, second_trait,
       count(*) FILTER (WHERE period > 0 AND answers = 1 AND permission NOT IN ('', 'not_determined'))      AS asked,
       count(*) FILTER (WHERE period > 0 AND permission = 'denied'
                          AND former IN ('authorized', 'provisional', 'ephemeral'))                         AS turned_off,
       count(*) FILTER (WHERE period > 0 AND former = 'denied'
                          AND permission IN ('authorized', 'provisional', 'ephemeral'))                     AS turned_on,
       count(*) FILTER (WHERE former IS NULL)                                                               AS installations,
       count(*) FILTER (WHERE permission = 'authorized') - count(*) FILTER (WHERE former = 'authorized')    AS granted,
       count(*) FILTER (WHERE permission = 'provisional') - count(*) FILTER (WHERE former = 'provisional')  AS provisional,
       count(*) FILTER (WHERE permission = 'ephemeral') - count(*) FILTER (WHERE former = 'ephemeral')      AS ephemeral,
       count(*) FILTER (WHERE permission = 'denied') - count(*) FILTER (WHERE former = 'denied')            AS denied,
       count(*) FILTER (WHERE permission = 'not_determined')
           - count(*) FILTER (WHERE former = 'not_determined')                                              AS not_determined,
       count(*) FILTER (WHERE permission = '') - count(*) FILTER (WHERE former = '')                        AS permission_unknown,
       count(*) FILTER (WHERE has_alerts_off AND permission IN ('authorized', 'provisional', 'ephemeral'))  AS alerts_off
  FROM life
 WHERE is_selected AND starts_at < $3
 GROUP BY 1, 2, 3
 ORDER BY 1, 2, 3;

-- name: opt_outs
-- How many installations turned notifications off within a day after a campaign was first pushed to them?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), $4 break down by campaign, $5 break down by
-- variant,
--             $6 campaigns and $7 variants to keep (null: all), $8 only changes before this instant.
-- Grain: the total first, without campaign and variant: each installation that any row counts, once. Then one
-- row per campaign and variant, as requested, the largest first.
--
-- An installation counts if it allowed notifications when the row's first push to it in the window was
-- attempted. The order of a window function brings pushes and periods together, as in permissions: a push
-- belongs to the last period that began before it.

WITH campaign_name AS MATERIALIZED (
    SELECT campaign_id,
           min(campaign_id) OVER (PARTITION BY CASE WHEN $4 THEN key END, CASE WHEN $5 THEN variant END) AS first_id
      FROM landfall.campaign
     WHERE app_id = $1
       AND ($6::text[] IS NULL OR key = ANY ($6))
       AND ($7::text[] IS NULL OR variant = ANY ($7))
), pushed AS (
    SELECT campaign_id, installation_id, min(sent_at + coalesce(sent_after_ms, 0) * interval '1 ms') AS pushed_at
      FROM landfall.delivery
     WHERE app_id = $1
       AND sent_at >= $2 AND sent_at < $3
       AND state & {{attempted}} <> 0
       AND installation_id IS NOT NULL
     GROUP BY installation_id, campaign_id
), named AS (
    -- A full join is never a nested loop, however few rows the planner expects.
    SELECT pushed.installation_id, pushed.pushed_at, campaign_name.first_id
      FROM pushed
      FULL JOIN campaign_name ON campaign_name.campaign_id = pushed.campaign_id
    OFFSET 0
), step AS (
    SELECT installation_id, min(pushed_at) AS at, first_id AS campaign_id,
           NULL::text AS permission, NULL::text AS next_permission, NULL::timestamptz AS ended_at
      FROM named
     WHERE installation_id IS NOT NULL AND first_id IS NOT NULL
     GROUP BY installation_id, first_id
    UNION ALL
    SELECT installation_id, started_at, NULL,
           permission, lead(permission) OVER (PARTITION BY installation_id ORDER BY started_at), ended_at
      FROM landfall.permission_period
     WHERE app_id = $1
), numbered AS (
    SELECT step.*, count(permission) OVER (PARTITION BY installation_id ORDER BY at, permission IS NULL) AS period
      FROM step
), life AS (
    SELECT campaign_id, installation_id, at,
           max(permission) OVER own AS permission, max(next_permission) OVER own AS next_permission,
           max(ended_at) OVER own AS ended_at
      FROM numbered
    WINDOW own AS (PARTITION BY installation_id, period)
), counted AS (
    SELECT campaign_id, count(DISTINCT installation_id) AS pushed,
           count(DISTINCT installation_id)
               FILTER (WHERE next_permission = 'denied' AND ended_at < least($8, at + interval '24 hours')) AS opt_outs
      FROM life
     WHERE campaign_id IS NOT NULL AND permission IN ('authorized', 'provisional', 'ephemeral')
     GROUP BY GROUPING SETS ((campaign_id), ())
)
SELECT CASE WHEN $4 THEN campaign.key END AS campaign, CASE WHEN $5 THEN campaign.variant END AS variant, pushed, opt_outs
  FROM counted
  LEFT JOIN LATERAL (SELECT key, variant FROM landfall.campaign WHERE campaign_id = counted.campaign_id OFFSET 0) AS campaign ON true
 ORDER BY counted.campaign_id IS NOT NULL, pushed DESC, campaign, variant;
