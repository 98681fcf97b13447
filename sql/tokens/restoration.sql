-- A restoration: tokens that a rule took out of use return to the state they had.

-- name: find_restorable
-- Which tokens did a rule take out of use since an instant, and what prevents undoing that? One row per
-- token, in order of token_id.
-- $1 app_id, $2 rule, $3 since, $4 environment or null for any, $5 topic or null for any A slot is taken if
-- other tokens are in it, and not this one. A token that was registered without a topic may still be in the
-- slot without one, although it has got a topic since.
WITH done AS (
    SELECT token_id, min(transition_id) AS transition_id FROM landfall.token_transition
    WHERE app_id = $1 AND rule = $2 AND at >= $3 AND from_state IS DISTINCT FROM to_state
    GROUP BY token_id
)
SELECT token.token_id, token.environment, token.topic,
       CASE
           WHEN token.cause IS DISTINCT FROM $2
             OR EXISTS (SELECT 1
                        FROM landfall.token_transition AS later
                        WHERE later.token_id = done.token_id AND later.transition_id > done.transition_id
                          AND later.rule <> $2
                          AND later.from_state IS DISTINCT FROM later.to_state) THEN 'changed_since'
           WHEN token.sealed_value IS NULL THEN 'value_erased'
           WHEN token.successor_id IS NOT NULL
             OR (SELECT bool_and(slot.token_id <> token.token_id)
                 FROM landfall.token_slot AS slot
                 WHERE slot.installation_id = token.installation_id AND slot.kind = {{slot_kind(token)}}
                   AND slot.environment = token.environment AND slot.topic = token.topic) THEN 'slot_taken'
       END AS hindrance
FROM done
JOIN landfall.token ON token.token_id = done.token_id AND token.app_id = $1
WHERE ($4 IS NULL OR token.environment = $4) AND ($5 IS NULL OR token.topic = $5)
ORDER BY token.token_id;

-- name: restore_tokens
-- One batch of a restoration: gives tokens back the state they had before a rule took them out of use, and
-- records that in the ledger. One row per token; none for a token that changed since it was planned. A token
-- that the breaker held back is held back again, with all its evidence.
-- $1 app_id, $2 rule, $3 since, $4 token_id[], $5 now, $6 run_id IS NOT DISTINCT FROM makes the planner find
-- these tokens by their ids and not through all tokens of the app.
WITH locked AS (
    SELECT token_id, installation_id, kind, environment, topic, state, last_registered_at
    FROM landfall.token
    WHERE token_id = ANY ($4::bigint[]) AND app_id IS NOT DISTINCT FROM $1 AND cause = $2
      AND sealed_value IS NOT NULL AND successor_id IS NULL
    ORDER BY token_id
    FOR UPDATE
), undoing AS (
    SELECT locked.token_id, locked.state AS state_before, locked.last_registered_at, done.from_state, earlier.rule AS cause
    FROM locked
    CROSS JOIN LATERAL (
        SELECT transition_id, from_state FROM landfall.token_transition
        WHERE token_id = locked.token_id AND rule = $2 AND at >= $3 AND from_state IS DISTINCT FROM to_state
        ORDER BY transition_id LIMIT 1
    ) AS done
    LEFT JOIN LATERAL (
        SELECT rule FROM landfall.token_transition
        WHERE token_id = locked.token_id AND transition_id < done.transition_id
          -- A restoration leads back to a state that another rule had led to.
          AND to_state = done.from_state
          AND rule <> 'restored'
          AND (from_state IS DISTINCT FROM to_state OR rule = 'breaker')
        ORDER BY transition_id DESC LIMIT 1
    ) AS earlier ON true
    WHERE NOT EXISTS (SELECT 1
                      FROM landfall.token_transition AS later
                      WHERE later.token_id = locked.token_id AND later.transition_id > done.transition_id
                        AND later.rule <> $2 AND later.from_state IS DISTINCT FROM later.to_state)
      AND (SELECT bool_and(slot.token_id <> locked.token_id)
           FROM landfall.token_slot AS slot
           WHERE slot.installation_id = locked.installation_id AND slot.kind = {{slot_kind(locked)}}
             AND slot.environment = locked.environment AND slot.topic = locked.topic) IS NOT TRUE
), restored AS (
    UPDATE landfall.token
    SET state = undoing.from_state, state_changed_at = $5,
        cause = CASE WHEN undoing.from_state <> 'active' THEN undoing.cause END,
        died_at = CASE WHEN undoing.from_state <> 'active' AND undoing.cause = 'breaker' THEN token.died_at END,
        first_rejected_at = CASE WHEN undoing.from_state <> 'active' THEN token.first_rejected_at END,
        last_rejected_at = CASE WHEN undoing.from_state <> 'active' THEN token.last_rejected_at END
    FROM undoing
    WHERE token.token_id = undoing.token_id
    RETURNING token.token_id, undoing.state_before, token.state, undoing.last_registered_at
)
INSERT INTO landfall.token_transition (app_id, token_id, at, from_state, to_state, rule, evidence, run_id)
SELECT $1, token_id, $5, state_before, state, 'restored',
       jsonb_strip_nulls(jsonb_build_object(
           'undone_rule', $2::text, 'registered_at', (extract(epoch FROM last_registered_at) * 1000)::bigint)),
       $6
FROM restored
ORDER BY token_id
RETURNING token_id;
