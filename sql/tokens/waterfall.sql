-- The past according to the ledger: states at an instant, and moves between states.

-- name: tokens_as_of
-- How many tokens of an app were in which state at an instant, according to the ledger? One row per state,
-- kind and environment; active first, retired last.
-- $1 app_id, $2 the instant (exclusive), $3 only rows decided before this instant A row that happened or was
-- decided later does not count, and neither do the rows after it in the same token's ledger: servers' clocks
-- differ and events come late, but the order of a token's rows is right.
WITH step AS (
    SELECT token_id, transition_id, to_state,
           bool_or(at >= $3 OR landfall.transition_time(rule, evidence, at) >= $2)
               OVER (PARTITION BY token_id ORDER BY transition_id) AS is_later
    FROM landfall.token_transition
    WHERE app_id = $1
), last AS (
    SELECT DISTINCT ON (token_id) token_id, to_state FROM step
    WHERE NOT is_later
    ORDER BY token_id, transition_id DESC
)
SELECT last.to_state AS state, token.kind, token.environment, count(*) AS tokens
FROM last
CROSS JOIN LATERAL (SELECT kind, environment FROM landfall.token WHERE token_id = last.token_id OFFSET 0) AS token
GROUP BY last.to_state, token.kind, token.environment
ORDER BY array_position(ARRAY['active', 'suspect', 'stale', 'retired'], last.to_state), tokens DESC, token.kind,
         token.environment;

-- name: token_moves
-- How many tokens changed from which state to which, by which rule, in each period? One row per period,
-- change and rule.
-- $1 app_id, $2 bounds of the periods[], ascending: period n starts at the nth and ends before the next, $3
-- kinds of token,
-- $4 only rows decided before this instant A row of the ledger counts from the time by which it and all
-- earlier rows of its token have happened, as in tokens_as_of.
WITH step AS (
    SELECT transition.from_state, transition.to_state, transition.rule,
           max(transition.at) OVER chain AS decided_at,
           max(landfall.transition_time(transition.rule, transition.evidence, transition.at)) OVER chain AS happened_at
    FROM landfall.token_transition AS transition
    JOIN LATERAL (SELECT kind FROM landfall.token WHERE token_id = transition.token_id OFFSET 0) AS token
      ON token.kind = ANY ($3::text[])
    WHERE transition.app_id = $1
    WINDOW chain AS (PARTITION BY transition.token_id ORDER BY transition.transition_id)
)
SELECT width_bucket(happened_at, $2::timestamptz[]) AS period, from_state, to_state, rule, count(*) AS moved
FROM step
WHERE decided_at < $4 AND happened_at >= ($2::timestamptz[])[1]
  AND happened_at < ($2::timestamptz[])[array_upper($2::timestamptz[], 1)]
  AND from_state IS DISTINCT FROM to_state
GROUP BY 1, 2, 3, 4
ORDER BY 1, 2 NULLS FIRST, 3, 4;

-- name: installations_as_of
-- How many installations of an app were in which state at an instant, according to the ledger? One row per
-- state.
-- $1 app_id, $2 the instant (exclusive), $3 kinds of token that show notifications, $4 only rows decided
-- before this instant An installation's state is the best one of the tokens it holds: active, suspect, stale,
-- retired. An installation that lost all of them to others is retired; one that never had any is left out.
-- Times are as in tokens_as_of.
WITH step AS (
    SELECT token_id, transition_id, to_state,
           (evidence ->> 'to_installation_id')::bigint AS taker_id,
           bool_or(at >= $4 OR landfall.transition_time(rule, evidence, at) >= $2)
               OVER (PARTITION BY token_id ORDER BY transition_id) AS is_later
    FROM landfall.token_transition
    WHERE app_id = $1
), known AS (
    -- For each token: every installation that ever took it, the last of them, and the token's last state.
    SELECT token_id,
           array_agg(DISTINCT taker_id) FILTER (WHERE taker_id IS NOT NULL)                                AS takers,
           (array_agg(taker_id ORDER BY transition_id DESC) FILTER (WHERE taker_id IS NOT NULL))[1]        AS holder_id,
           (array_agg(array_position(ARRAY['active', 'suspect', 'stale', 'retired'], to_state)
                      ORDER BY transition_id DESC))[1]                                                     AS state
    FROM step
    WHERE NOT is_later
    GROUP BY token_id
), judged AS (
    SELECT taken.installation_id,
           min(CASE WHEN taken.installation_id = known.holder_id THEN known.state END) AS best
    FROM known
    CROSS JOIN LATERAL (SELECT kind FROM landfall.token WHERE token_id = known.token_id OFFSET 0) AS token
    CROSS JOIN unnest(known.takers) AS taken (installation_id)
    WHERE token.kind = ANY ($3::text[])
    GROUP BY taken.installation_id
)
SELECT (ARRAY['active', 'suspect', 'stale', 'retired'])[coalesce(best, 4)] AS state, count(*) AS installations
FROM judged
GROUP BY 1;

-- name: installation_moves
-- How many installations changed from which state to which, by which rule, in each period? One row per
-- period, change and rule; the old state is null if an installation had no token before.
-- $1 app_id, $2 bounds of the periods[], ascending: period n starts at the nth and ends before the next, $3
-- kinds of token that show notifications, $4 only rows decided before this instant States and times are as in
-- installations_as_of. Each row of the ledger adds its token to one state of its holder and removes it from
-- another; if a token changes hands, it is also removed from the former holder. The installation's state is
-- the best state of its remaining tokens.
WITH step AS (
    SELECT transition.token_id, transition.transition_id, transition.rule, transition.from_state, transition.to_state,
           max(transition.at) OVER chain AS decided_at,
           max(landfall.transition_time(transition.rule, transition.evidence, transition.at)) OVER chain AS happened_at,
           (transition.evidence ->> 'to_installation_id')::bigint AS taker_id,
           -- The nth time that an installation takes the token.
           count(transition.evidence ->> 'to_installation_id') OVER chain AS taking
    FROM landfall.token_transition AS transition
    JOIN LATERAL (SELECT kind FROM landfall.token WHERE token_id = transition.token_id OFFSET 0) AS token
      ON token.kind = ANY ($3::text[])
    WHERE transition.app_id = $1
    WINDOW chain AS (PARTITION BY transition.token_id ORDER BY transition.transition_id)
), held AS (
    SELECT step.*, max(taker_id) OVER (PARTITION BY token_id, taking) AS holder_id
    FROM step
    WHERE decided_at < $4
), placed AS (
    SELECT held.*, lag(holder_id) OVER (PARTITION BY token_id ORDER BY transition_id) AS former_holder_id
    FROM held
), delta AS (
    SELECT holder_id AS installation_id, happened_at, transition_id, rule, to_state AS added,
           CASE WHEN former_holder_id = holder_id THEN from_state END AS taken
    FROM placed
    WHERE holder_id IS NOT NULL
    UNION ALL
    SELECT former_holder_id, happened_at, transition_id, rule, NULL, from_state
    FROM placed
    WHERE former_holder_id <> holder_id
), tally AS (
    SELECT installation_id, happened_at, transition_id, rule,
           count(*) FILTER (WHERE added = 'active') OVER chain
               - count(*) FILTER (WHERE taken = 'active') OVER chain AS active,
           count(*) FILTER (WHERE added = 'suspect') OVER chain
               - count(*) FILTER (WHERE taken = 'suspect') OVER chain AS suspect,
           count(*) FILTER (WHERE added = 'stale') OVER chain
               - count(*) FILTER (WHERE taken = 'stale') OVER chain AS stale
    FROM delta
    WINDOW chain AS (PARTITION BY installation_id ORDER BY happened_at, transition_id)
), judged AS (
    SELECT tally.*,
           CASE WHEN active > 0 THEN 'active'
                WHEN suspect > 0 THEN 'suspect'
                WHEN stale > 0 THEN 'stale'
                ELSE 'retired' END AS state
    FROM tally
), move AS (
    SELECT happened_at, rule, state AS to_state,
           lag(state) OVER (PARTITION BY installation_id ORDER BY happened_at, transition_id) AS from_state
    FROM judged
)
SELECT width_bucket(happened_at, $2::timestamptz[]) AS period, from_state, to_state, rule, count(*) AS moved
FROM move
WHERE happened_at >= ($2::timestamptz[])[1]
  AND happened_at < ($2::timestamptz[])[array_upper($2::timestamptz[], 1)]
  AND from_state IS DISTINCT FROM to_state
GROUP BY 1, 2, 3, 4
ORDER BY 1, 2 NULLS FIRST, 3, 4;
