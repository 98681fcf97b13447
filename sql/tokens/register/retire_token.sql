-- Retires one token of an installation. No row if the token now belongs to another installation or is already retired.
-- $1 token_id, $2 installation_id, $3 cause, $4 successor_id, $5 now
UPDATE landfall.token AS retiring
SET state = 'retired', cause = $3, successor_id = $4, state_changed_at = $5
FROM landfall.token AS before
WHERE retiring.token_id = $1
  AND before.token_id = retiring.token_id
  AND retiring.installation_id = $2
  AND retiring.state <> 'retired'
RETURNING before.state;
