-- How many installations of each app were in which state before an instant, by the ledger alone? One row per question and state.
-- $1 app_id[], $2 instant[]: one question each; $3 kinds of token that show notifications
-- The best state of the tokens it held; retired when it lost all it had. Who registered a token holds it until another does.
WITH known AS (
    SELECT asked.position, transition.token_id, transition.transition_id, transition.to_state,
           (transition.evidence ->> 'to_installation_id')::bigint AS installation_id
    FROM unnest($1::bigint[], $2::timestamptz[]) WITH ORDINALITY AS asked (app_id, at, position)
    JOIN landfall.token_transition AS transition
      ON transition.app_id = asked.app_id AND transition.at < asked.at
    JOIN landfall.token
      ON token.token_id = transition.token_id AND token.app_id = asked.app_id AND token.kind = ANY ($3::text[])
), last AS (
    SELECT DISTINCT ON (position, token_id) position, token_id,
           array_position(ARRAY['active', 'suspect', 'stale', 'retired'], to_state) AS rank
    FROM known
    ORDER BY position, token_id, transition_id DESC
), held AS (
    SELECT DISTINCT ON (position, token_id) position, token_id, installation_id
    FROM known
    WHERE installation_id IS NOT NULL
    ORDER BY position, token_id, transition_id DESC
), holder AS (
    SELECT DISTINCT position, installation_id FROM known WHERE installation_id IS NOT NULL
), judged AS (
    SELECT holder.position, holder.installation_id, coalesce(min(last.rank), 4) AS rank
    FROM holder
    LEFT JOIN held ON held.position = holder.position AND held.installation_id = holder.installation_id
    LEFT JOIN last ON last.position = held.position AND last.token_id = held.token_id
    GROUP BY holder.position, holder.installation_id
)
SELECT position, (ARRAY['active', 'suspect', 'stale', 'retired'])[rank] AS state, count(*) AS state_count
FROM judged
GROUP BY position, rank;
