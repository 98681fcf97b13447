-- Which segments have these traits?
--
-- Parameters: $1 app, and for each trait the values to keep (null: all): $2 provider, $3 environment, $4 topic,
--             $5 push type, $6 priority, $7 platform, $8 app version, $9 OS version, $10 language,
--             $11 permission. The empty string means unknown.
-- Grain: one row per segment.

SELECT segment_id
  FROM landfall.segment
 WHERE app_id = $1
   AND ($2 IS NULL OR provider = ANY ($2))
   AND ($3 IS NULL OR environment = ANY ($3))
   AND ($4 IS NULL OR topic = ANY ($4))
   AND ($5 IS NULL OR push_type = ANY ($5))
   AND ($6 IS NULL OR priority = ANY ($6))
   AND ($7 IS NULL OR platform = ANY ($7))
   AND ($8 IS NULL OR app_version = ANY ($8))
   AND ($9 IS NULL OR os_version = ANY ($9))
   AND ($10 IS NULL OR language = ANY ($10))
   AND ($11 IS NULL OR permission = ANY ($11));
