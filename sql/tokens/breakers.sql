-- Breakers: they count responses, and open if too many tokens would retire at once.

-- name: make_breakers
-- Creates breakers that do not exist yet. $1 app_id[], $2 environment[], $3 topic[], sorted
INSERT INTO landfall.token_breaker (app_id, environment, topic)
SELECT app_id, environment, topic
FROM unnest($1::bigint[], $2::text[], $3::text[]) AS asked (app_id, environment, topic)
ON CONFLICT (app_id, environment, topic) DO NOTHING;

-- name: lock_breakers
-- Locks these breakers: the transaction that holds them decides which tokens retire, the others wait. $1
-- app_id[],
-- $2 environment[], $3 topic[]
SELECT breaker.app_id
FROM unnest($1::bigint[], $2::text[], $3::text[]) AS asked (app_id, environment, topic)
JOIN landfall.token_breaker AS breaker
  ON breaker.app_id = asked.app_id AND breaker.environment = asked.environment AND breaker.topic = asked.topic
ORDER BY breaker.app_id, breaker.environment, breaker.topic
FOR UPDATE OF breaker;

-- name: read_breakers
-- What have these breakers counted within their window, and which limits does the app set? One row per
-- breaker, with its position.
-- $1 app_id[], $2 environment[], $3 topic[], $4 the first minute of the window A statement of its own after
-- the lock: only then does it see what the transactions before have committed.
SELECT asked.position,
       breaker.opened_at IS NOT NULL AS is_open,
       coalesce(sum(counted.attempted), 0)::bigint
           - CASE WHEN breaker.decided_minute >= $4 THEN breaker.decided_attempted ELSE 0 END AS attempted_count,
       coalesce(sum(counted.retired), 0)::bigint
           - CASE WHEN breaker.decided_minute >= $4 THEN breaker.decided_retired ELSE 0 END AS retired_count,
       (app.settings ->> 'breaker_minimum')::bigint AS breaker_minimum,
       (app.settings ->> 'breaker_share')::float8 AS breaker_share
FROM unnest($1::bigint[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (app_id, environment, topic, position)
JOIN landfall.token_breaker AS breaker
  ON breaker.app_id = asked.app_id AND breaker.environment = asked.environment AND breaker.topic = asked.topic
LEFT JOIN landfall.app ON app.app_id = asked.app_id
LEFT JOIN landfall.token_breaker_minute AS counted
  ON counted.app_id = asked.app_id AND counted.environment = asked.environment AND counted.topic = asked.topic
 AND counted.minute >= greatest($4, breaker.decided_minute)
GROUP BY asked.position, breaker.app_id, breaker.environment, breaker.topic, app.settings;

-- name: usual_rejections
-- How many pushes of these apps were rejected because the token is dead or suspect? One row per app, with its
-- position.
-- $1 app_id[], $2 from (inclusive) and $3 to (exclusive), both at quarter hours
SELECT asked.position, counted.attempted, counted.rejected
FROM unnest($1::bigint[]) WITH ORDINALITY AS asked (app_id, position)
CROSS JOIN LATERAL (
    SELECT coalesce(sum(notifications) FILTER (WHERE measure.attempted), 0)::bigint AS attempted,
           coalesce(sum(notifications) FILTER (WHERE measure.rejected_token_dead OR measure.rejected_token_suspect), 0)::bigint
               AS rejected
    FROM landfall.headline_by_quarter AS counter
    CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
    WHERE app_id = asked.app_id AND quarter >= $2 AND quarter < $3
) AS counted;

-- name: count_responses
-- Adds to the counts of breakers for this minute.
-- $1 app_id[], $2 environment[], $3 topic[], $4 attempted[], $5 retired[], sorted by app_id, environment and
-- topic; $6 shard,
-- $7 place of the minute in the ring, $8 start of the minute
INSERT INTO landfall.token_breaker_minute AS known (app_id, environment, topic, shard, place, minute, attempted, retired)
SELECT app_id, environment, topic, $6, $7, $8, attempted, retired
FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::bigint[])
     AS counted (app_id, environment, topic, attempted, retired)
ON CONFLICT (app_id, environment, topic, shard, place) DO UPDATE
SET minute    = excluded.minute,
    attempted = excluded.attempted + CASE WHEN known.minute = excluded.minute THEN known.attempted ELSE 0 END,
    retired   = excluded.retired + CASE WHEN known.minute = excluded.minute THEN known.retired ELSE 0 END
WHERE known.minute <= excluded.minute;

-- name: open_breakers
-- Opens breakers: responses no longer retire tokens there. $1 app_id[], $2 environment[], $3 topic[], $4 now
UPDATE landfall.token_breaker AS breaker SET opened_at = $4
FROM unnest($1::bigint[], $2::text[], $3::text[]) AS tripped (app_id, environment, topic)
WHERE (breaker.app_id, breaker.environment, breaker.topic) = (tripped.app_id, tripped.environment, tripped.topic)
  AND breaker.opened_at IS NULL;

-- name: count_open_breakers
-- How many breakers of all apps are open?
SELECT count(*) AS open_count FROM landfall.token_breaker WHERE opened_at IS NOT NULL;

-- name: list_breakers
-- Which breakers are open or hold back tokens? One row per environment and topic.
-- $1 app_id, $2 environment or null for any, $3 topic or null for any
WITH held AS (
    SELECT environment, topic, count(*) AS held_tokens, min(state_changed_at) AS held_since
    FROM landfall.token
    WHERE app_id = $1 AND cause = 'breaker' AND state IS NOT DISTINCT FROM 'suspect'
    GROUP BY environment, topic
)
SELECT environment, topic, coalesce(breaker.opened_at, held.held_since) AS opened_at,
       coalesce(held.held_tokens, 0) AS held_tokens
FROM held
FULL JOIN (SELECT environment, topic, opened_at
           FROM landfall.token_breaker
           WHERE app_id = $1 AND opened_at IS NOT NULL) AS breaker USING (environment, topic)
WHERE ($2 IS NULL OR environment = $2) AND ($3 IS NULL OR topic = $3)
ORDER BY held_tokens DESC, environment, topic;
