-- Registrations without a token, and tokens that came back to life.

-- name: registration_failures
-- How many installations said in each period that the system gave their app no token? One row per period, and
-- one with a null period for all of them together, in which each installation counts once.
-- $1 app_id, $2 bounds of the periods[], ascending: period n starts at the nth and ends before the next, $3
-- only what was reported before this instant
SELECT width_bucket(failed_at, $2::timestamptz[]) AS period, count(DISTINCT installation_id) AS installations
FROM landfall.registration_failure
WHERE app_id = $1 AND day > ($2::timestamptz[])[1] - interval '24 hours'
  AND failed_at >= ($2::timestamptz[])[1]
  AND failed_at < least(($2::timestamptz[])[array_upper($2::timestamptz[], 1)], $3)
GROUP BY GROUPING SETS ((1), ());

-- name: false_deaths
-- How many of the tokens that each rule retired in a window came back to life? One row per rule, the most
-- first.
-- $1 app_id, $2 from (inclusive), $3 to (exclusive), $4 rules that claim a death A token counts once per
-- rule, at the first time.
WITH retired AS (
    SELECT token_id, rule, min(transition_id) AS transition_id, min(at) AS at
    FROM landfall.token_transition
    WHERE app_id = $1 AND at >= $2 AND at < $3 AND rule = ANY ($4::text[]) AND to_state = 'retired'
      AND from_state IS DISTINCT FROM to_state
    GROUP BY token_id, rule
), judged AS (
    SELECT retired.rule,
           EXISTS (SELECT 1
                   FROM landfall.token_transition AS later
                   WHERE later.token_id = retired.token_id AND later.transition_id > retired.transition_id
                     AND later.to_state = 'active'
                     AND later.from_state IS DISTINCT FROM later.to_state) AS was_revived,
           coalesce(token.last_accepted_at > retired.at, false) AS was_accepted,
           coalesce(token.last_registered_at > retired.at, false) AS was_registered
    FROM retired
    CROSS JOIN LATERAL (SELECT last_accepted_at, last_registered_at
                        FROM landfall.token
                        WHERE token_id = retired.token_id
                        OFFSET 0) AS token
)
SELECT rule,
       count(*) AS retired,
       count(*) FILTER (WHERE was_revived) AS revived,
       count(*) FILTER (WHERE was_accepted) AS accepted,
       count(*) FILTER (WHERE was_registered) AS registered,
       count(*) FILTER (WHERE was_revived OR was_accepted OR was_registered) AS came_back
FROM judged
GROUP BY rule
ORDER BY count(*) DESC, rule;
