-- Which of these values are new to the app, and what is known of the installation that registers them? One row per value.
-- $1 app_id, $2 installation_id, $3 fingerprint[], $4 kind[], $5 a day ago
-- `is_new`: no token has this value. `recent`: the values of the same kind that the installation registered since then. `is_proven`: a
-- provider accepted a push to one of its tokens. `has_unproven`: one of its tokens is in no feed.
-- OFFSET 0: one look-up in the index per value, however many the planner expects.
SELECT asked.position,
       found.fingerprint IS NULL AS is_new,
       (SELECT count(*) FROM landfall.token
         WHERE installation_id = $2 AND app_id = $1 AND kind = asked.kind AND NOT is_vouched AND first_seen_at > $5) AS recent,
       (SELECT EXISTS (SELECT FROM landfall.token
                        WHERE installation_id = $2 AND app_id = $1 AND last_accepted_at IS NOT NULL)) AS is_proven,
       (SELECT EXISTS (SELECT FROM landfall.token
                        WHERE installation_id = $2 AND app_id = $1 AND is_unproven)) AS has_unproven
FROM unnest($3::bytea[], $4::text[]) WITH ORDINALITY AS asked (fingerprint, kind, position)
LEFT JOIN LATERAL (
    SELECT token.fingerprint
    FROM landfall.token
    WHERE token.fingerprint = asked.fingerprint AND token.app_id = $1
    LIMIT 1
    OFFSET 0
) AS found ON true
ORDER BY asked.position;
