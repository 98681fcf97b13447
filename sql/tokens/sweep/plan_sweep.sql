-- What would a sweep change? One row per step (stale, swept), state, cause of that state and time of silence, with counts.
-- $1 app_id, $2 now, $3 what is silent since before this instant becomes stale, $4 what is stale since before this one is retired
-- Expired tokens are left out: retiring them is no judgment.
-- The states are listed because an index leads to those of one app; "not retired" would read the tokens of all apps.
-- A token is silent since the last registration, check-in or device event of itself or its installation.
WITH judged AS (
    SELECT token.token_id,
           token.state,
           token.cause,
           token.state_changed_at,
           greatest(token.last_sign_of_life_at, installation.last_sign_of_life_at) AS last_sign_of_life_at
    FROM landfall.token
    LEFT JOIN landfall.installation ON installation.installation_id = token.installation_id
    WHERE token.app_id = $1
      AND token.state IN ('active', 'suspect', 'stale')
      AND (token.expires_at IS NULL OR token.expires_at > $2)
)
SELECT CASE WHEN state = 'stale' THEN 'swept' ELSE 'stale' END AS step,
       state AS from_state,
       CASE WHEN state = 'suspect' THEN cause END AS cause,
       (extract(day FROM $2 - last_sign_of_life_at)::bigint / 30) * 30 AS silent_days,
       count(*) AS token_count
FROM judged
WHERE (state <> 'stale' AND last_sign_of_life_at < $3)
   OR (state = 'stale' AND state_changed_at < $4)
GROUP BY step, state, 3, silent_days
ORDER BY step, state, 3, silent_days;
