-- How many notifications and rows of the ledger does a cell have of an app? One row.
-- $1 app_id
SELECT (SELECT count(*) FROM landfall.delivery WHERE app_id = $1) AS notifications,
       (SELECT count(*) FROM landfall.token_transition WHERE app_id = $1) AS transitions;
