-- How many tokens of each app were in which state before an instant, by the ledger alone? One row per question and state.
-- $1 app_id[], $2 instant[]: one question each
SELECT asked.position, past.state, count(*) AS state_count
FROM unnest($1::bigint[], $2::timestamptz[]) WITH ORDINALITY AS asked (app_id, at, position)
CROSS JOIN LATERAL (
    SELECT DISTINCT ON (token_id) to_state AS state
    FROM landfall.token_transition
    WHERE app_id = asked.app_id AND at < asked.at
    ORDER BY token_id, transition_id DESC
) AS past
GROUP BY asked.position, past.state;
