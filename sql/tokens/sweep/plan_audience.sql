-- How many installations are in the audience before a sweep, and how many would the sweep remove from it?
-- $1 app_id, $2 tokens silent since before this instant become stale, $3 kinds of token that show notifications, $4 now
-- A token without an installation counts on its own.
WITH member AS (
    SELECT coalesce(token.installation_id, -token.token_id) AS target,
           bool_and(greatest(token.last_sign_of_life_at, installation.last_sign_of_life_at) < $2) AS is_lost
    FROM landfall.token
    LEFT JOIN landfall.installation ON installation.installation_id = token.installation_id
    WHERE token.app_id = $1
      AND token.state = 'active'
      AND token.kind = ANY ($3::text[])
      AND (token.expires_at IS NULL OR token.expires_at > $4)
      AND coalesce(installation.permission, '') <> 'denied'
      AND installation.erased_at IS NULL
    GROUP BY target
)
SELECT count(*) AS audience_count,
       count(*) FILTER (WHERE is_lost) AS lost_count
FROM member;
