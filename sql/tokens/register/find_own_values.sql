-- Is an installation proven, and how many values did it register? One row per kind of its tokens.
-- $1 app_id, $2 installation_id, $3 a day ago
-- `recent`: those that it registered since then. `is_proven`: a provider accepted a push to one of them. `has_unproven`: one of them is in
-- no feed.
-- OFFSET 0 keeps the planner from reading all unproven tokens of the app.
SELECT held.kind,
       count(*) FILTER (WHERE NOT held.is_vouched AND held.first_seen_at > $3) AS recent,
       bool_or(held.last_accepted_at IS NOT NULL) AS is_proven,
       bool_or(held.is_unproven) AS has_unproven
FROM (SELECT kind, is_vouched, is_unproven, first_seen_at, last_accepted_at
      FROM landfall.token
      WHERE installation_id = $2 AND app_id = $1
      OFFSET 0) AS held
GROUP BY held.kind;
