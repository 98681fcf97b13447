-- New values: how many a device adds, and which of its tokens wait for a proof.

-- Whether a token is unproven: no feed contains it.
-- part: unproven
($1.is_unproven AND NOT $1.is_vouched AND $1.last_accepted_at IS NULL)

-- name: find_new_values
-- Which of these values does the app not know? Their numbers, counted from 1.
-- $1 app_id, $2 fingerprint[]
-- OFFSET 0 makes the planner look up each value in the index, however many it expects.
SELECT asked.position
FROM unnest($2::bytea[]) WITH ORDINALITY AS asked (fingerprint, position)
LEFT JOIN LATERAL (
    SELECT token.fingerprint FROM landfall.token
    WHERE token.fingerprint = asked.fingerprint AND token.app_id = $1
    LIMIT 1 OFFSET 0
) AS known ON true
WHERE known.fingerprint IS NULL
ORDER BY asked.position;

-- name: find_own_values
-- Is an installation proven, and how many values did it register? One row per kind of its tokens.
-- $1 app_id, $2 installation_id, $3 a day ago `recent`: those that it registered since then. `is_proven`: a
-- provider accepted a push to one of them. `has_unproven`: one of them is in no feed. OFFSET 0 keeps the
-- planner from reading all unproven tokens of the app.
SELECT held.kind,
       count(*) FILTER (WHERE NOT held.is_vouched AND held.first_seen_at > $3) AS recent,
       bool_or(held.last_accepted_at IS NOT NULL) AS is_proven,
       bool_or(held.is_unproven) AS has_unproven
FROM (SELECT kind, is_vouched, is_unproven, first_seen_at, last_accepted_at
      FROM landfall.token
      WHERE installation_id = $2 AND app_id = $1
      OFFSET 0) AS held
GROUP BY held.kind;

-- name: settle_proofs
-- Decides which of an installation's tokens are unproven, so that no feed contains them. Returns those that
-- changed; of each, the ledger gets a row.
-- $1 app_id, $2 installation_id, $3 whether the installation is proven, $4 how many tokens of each kind need
-- no proof, and $5 how many of all kinds Values that senders have come first, then the oldest, so that a new
-- value cannot displace one that senders have.
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
