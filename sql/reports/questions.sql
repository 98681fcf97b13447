-- Terms of a question: the span of the counters, segments with given traits, values to choose from.
--
-- Statements of reports have their first parameters in common: $1 app, $2 from (inclusive) and $3 to
-- (exclusive), both at quarter hours if counters are read, $4 IANA time zone, $5 unit of local time to break
-- down by (hour, day, week, month; null: none),
-- $6 break down by campaign, $7 break down by variant, $8 campaigns and $9 variants to keep (null: all), $10
-- and $11 traits of segment to break down by (null: none), $12 segments to keep (null: all).

-- Text that statements share is a part, not a function: Citus runs no function of SQL that reads a table of a
-- cell, nor one of a row, because a shard's row type is not that of the table.

-- Whether a report is about campaign $1 of the app $2: $3 lists keys, $4 variants; a null list selects all.
-- part: is_selected
($3 IS NULL AND $4 IS NULL
 OR ($1 IN (SELECT campaign_id FROM landfall.campaign
             WHERE app_id = $2 AND ($3 IS NULL OR key = ANY ($3)) AND ($4 IS NULL OR variant = ANY ($4)))) IS TRUE)

-- The value of a segment's trait; null if there is no such trait.
-- part: trait
CASE $1 WHEN 'provider' THEN segment.provider WHEN 'environment' THEN segment.environment
        WHEN 'topic' THEN segment.topic WHEN 'push_type' THEN segment.push_type
        WHEN 'priority' THEN segment.priority WHEN 'platform' THEN segment.platform
        WHEN 'app_version' THEN segment.app_version WHEN 'os_version' THEN segment.os_version
        WHEN 'language' THEN segment.language WHEN 'permission' THEN segment.permission END

-- name: app_span
-- Which quarter hours do an app's counters cover?
--
-- Parameters: $1 app. Grain: one row; both columns are null if nothing has been counted. Each of the six
-- values is read from one end of an index.

SELECT least((SELECT min(quarter) FROM landfall.counter_live WHERE app_id = $1),
             (SELECT min(starts_at) FROM landfall.counter WHERE grain = 'quarter' AND app_id = $1),
             (SELECT min(quarter) FROM landfall.latency_rollup WHERE app_id = $1)) AS first_quarter,
       greatest((SELECT max(quarter) FROM landfall.counter_live WHERE app_id = $1),
                (SELECT max(starts_at) FROM landfall.counter WHERE grain = 'quarter' AND app_id = $1),
                (SELECT max(quarter) FROM landfall.latency_rollup WHERE app_id = $1)) AS last_quarter;

-- name: filtered_segments
-- Which segments have these traits?
--
-- Parameters: $1 app, and for each trait the values to keep (null: all): $2 provider, $3 environment, $4
-- topic,
--             $5 push type, $6 priority, $7 platform, $8 app version, $9 OS version, $10 language,
--             $11 permission. The empty string means unknown.
-- Grain: one row per segment.

SELECT segment_id
  FROM landfall.segment
 WHERE app_id = $1
   AND ($2 IS NULL OR provider = ANY ($2)) AND ($3 IS NULL OR environment = ANY ($3))
   AND ($4 IS NULL OR topic = ANY ($4)) AND ($5 IS NULL OR push_type = ANY ($5))
   AND ($6 IS NULL OR priority = ANY ($6)) AND ($7 IS NULL OR platform = ANY ($7))
   AND ($8 IS NULL OR app_version = ANY ($8)) AND ($9 IS NULL OR os_version = ANY ($9))
   AND ($10 IS NULL OR language = ANY ($10)) AND ($11 IS NULL OR permission = ANY ($11));

-- name: known_values
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
    SELECT {{trait($2)}}
      FROM landfall.segment
     WHERE app_id = $1 AND $2 NOT IN ('campaign', 'variant')
  ) AS known
 WHERE value IS NOT NULL
 ORDER BY value;
