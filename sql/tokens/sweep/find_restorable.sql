-- Which tokens did a rule take out of use since an instant, and what prevents undoing that? One row per token, in order of
-- token_id.
-- $1 app_id, $2 rule, $3 since, $4 environment or null for any, $5 topic or null for any
-- OFFSET 0 keeps the planner from reading all slots instead of those of each token.
WITH done AS (
    SELECT token_id, min(transition_id) AS transition_id
    FROM landfall.token_transition
    WHERE app_id = $1
      AND rule = $2
      AND at >= $3
      AND from_state IS DISTINCT FROM to_state
    GROUP BY token_id
)
SELECT token.token_id,
       token.environment,
       token.topic,
       CASE
           WHEN token.cause IS DISTINCT FROM $2
             OR EXISTS (SELECT 1
                        FROM landfall.token_transition AS later
                        WHERE later.token_id = done.token_id
                          AND later.transition_id > done.transition_id
                          AND later.rule <> $2
                          AND later.from_state IS DISTINCT FROM later.to_state) THEN 'changed_since'
           WHEN token.sealed_value IS NULL THEN 'value_erased'
           WHEN token.successor_id IS NOT NULL
             OR EXISTS (SELECT 1
                        FROM landfall.token_slot AS slot
                        WHERE slot.installation_id = token.installation_id
                          AND slot.kind = token.kind
                          AND slot.environment = token.environment
                          AND slot.topic = token.topic
                        OFFSET 0)
            AND NOT EXISTS (SELECT 1
                            FROM landfall.token_slot AS slot
                            WHERE slot.token_id = token.token_id
                            OFFSET 0) THEN 'slot_taken'
       END AS hindrance
FROM done
JOIN landfall.token
  ON token.token_id = done.token_id AND token.app_id = $1
WHERE ($4 IS NULL OR token.environment = $4)
  AND ($5 IS NULL OR token.topic = $5)
ORDER BY token.token_id;
