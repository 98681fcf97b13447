-- How many of the tokens that sweeps changed since an instant became active again? One row per rule.
-- $1 app_id, $2 since, $3 rules
-- A token counts once per rule, at the first time.
WITH changed AS (
    SELECT token_id, rule, min(transition_id) AS transition_id
    FROM landfall.token_transition
    WHERE app_id = $1
      AND at >= $2
      AND rule = ANY ($3::text[])
      AND run_id IS NOT NULL
      AND from_state IS DISTINCT FROM to_state
    GROUP BY token_id, rule
)
SELECT rule,
       count(*) AS changed_count,
       count(*) FILTER (WHERE EXISTS (SELECT 1
                                      FROM landfall.token_transition AS later
                                      WHERE later.token_id = changed.token_id
                                        AND later.transition_id > changed.transition_id
                                        AND later.to_state = 'active'
                                        AND later.from_state IS DISTINCT FROM later.to_state)) AS revived_count
FROM changed
GROUP BY rule
ORDER BY rule;
