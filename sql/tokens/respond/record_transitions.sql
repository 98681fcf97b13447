-- Writes rows of the ledger, in the order given.
-- $1 app_id[], $2 token_id[], $3 from_state[], $4 to_state[], $5 rule[], $6 evidence (JSON text)[], $7 now
INSERT INTO landfall.token_transition (app_id, token_id, at, from_state, to_state, rule, evidence)
SELECT app_id, token_id, $7, from_state, to_state, rule, evidence::jsonb
FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[])
     WITH ORDINALITY AS transition (app_id, token_id, from_state, to_state, rule, evidence, position)
ORDER BY position;
