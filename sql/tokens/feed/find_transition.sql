-- Is this a row of the app's ledger?
-- $1 app_id, $2 transition_id
SELECT transition_id FROM landfall.token_transition WHERE app_id = $1 AND transition_id = $2;
