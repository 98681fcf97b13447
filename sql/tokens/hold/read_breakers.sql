-- What have these breakers counted within their window, and which limits does the app set? One row per breaker, with its
-- position.
-- $1 app_id[], $2 environment[], $3 topic[], $4 the first minute of the window
-- A statement of its own after the lock: only then does it see what the transactions before have committed.
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
LEFT JOIN landfall.app
  ON app.app_id = asked.app_id
LEFT JOIN landfall.token_breaker_minute AS counted
  ON counted.app_id = asked.app_id
 AND counted.environment = asked.environment
 AND counted.topic = asked.topic
 AND counted.minute >= greatest($4, breaker.decided_minute)
GROUP BY asked.position, breaker.app_id, breaker.environment, breaker.topic, app.settings;
