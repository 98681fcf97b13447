-- Which categories of notifications have apps not registered with the system, although devices got such notifications?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive) of the last registration, $4 limit.
-- Grain: one row per category, the one with the most installations first. `app_version` is one of theirs, the greatest as text.

SELECT category, count(*) AS installations, max(app_version) AS app_version
  FROM landfall.installation
 CROSS JOIN LATERAL unnest(missing_categories) AS category
 WHERE app_id = $1
   AND missing_categories IS NOT NULL
   AND last_registered_at >= $2
   AND last_registered_at < $3
 GROUP BY category
 ORDER BY installations DESC, category
 LIMIT $4;
