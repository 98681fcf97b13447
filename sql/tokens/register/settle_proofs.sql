-- Decides which of an installation's tokens are unproven, so that no feed contains them. Returns those that changed.
-- $1 app_id, $2 installation_id, $3 whether the installation is proven, $4 how many tokens of each kind need no proof, and $5 how many
-- of all kinds
-- Values that senders have come first, then the oldest, so that a new value cannot displace one that senders have.
WITH living AS (
    SELECT token_id, NOT $3 AND NOT is_vouched
           AND (row_number() OVER (PARTITION BY kind ORDER BY is_unproven, token_id) > $4
                OR row_number() OVER (ORDER BY is_unproven, token_id) > $5) AS needs_proof
    FROM landfall.token
    WHERE installation_id = $2 AND app_id = $1 AND state <> 'retired'
      AND (is_unproven OR NOT is_vouched AND last_accepted_at IS NULL)
)
UPDATE landfall.token
SET is_unproven = living.needs_proof
FROM living
WHERE token.token_id = living.token_id AND token.is_unproven <> living.needs_proof
RETURNING token.token_id, token.state, token.is_unproven;
