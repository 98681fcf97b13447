-- What does the ledger of these apps say? One row per transition, in the order in which they were written.
-- $1 app_id[]
SELECT token_id,
       at,
       from_state,
       to_state,
       rule,
       run_id IS NOT NULL AS has_run,
       (evidence ->> 'sent_at')::bigint AS sent_at,
       (evidence ->> 'invalid_since')::bigint AS invalid_since,
       (evidence ->> 'registered_at')::bigint AS registered_at,
       evidence ->> 'environment_verdict' AS environment_verdict,
       evidence ->> 'undone_rule' AS undone_rule
FROM landfall.token_transition
WHERE app_id = ANY ($1::bigint[])
ORDER BY transition_id;
