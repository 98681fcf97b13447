-- How many tokens changed from which state to which, by which rule, in each period? One row per period, change and rule.
-- $1 app_id, $2 bounds of the periods[], ascending: period n starts at the nth and ends before the next, $3 kinds of token,
-- $4 only rows decided before this instant
-- A row of the ledger counts from the time by which it and all earlier rows of its token have happened, as in tokens_as_of.sql.
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
WHERE decided_at < $4
  AND happened_at >= ($2::timestamptz[])[1]
  AND happened_at < ($2::timestamptz[])[array_upper($2::timestamptz[], 1)]
  AND from_state IS DISTINCT FROM to_state
GROUP BY 1, 2, 3, 4
ORDER BY 1, 2 NULLS FIRST, 3, 4;
