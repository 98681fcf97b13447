-- Updates the last sign of life of installations that are not erased, at most once a day each. One row per installation found,
-- updated or not: its position, its id, its previous sign of life, whether it is erased, and whether it had said that it has no token.
-- An event contradicts that.
-- $1 app_id[], $2 device_id[], $3 instant[], sorted by app_id and device_id
WITH heard AS MATERIALIZED (
    SELECT sign.position, sign.at, known.app_id, known.device_id, known.installation_id, known.last_sign_of_life_at,
           known.erased_at IS NOT NULL AS is_erased, known.tokenless_since IS NOT NULL AS is_tokenless
    FROM unnest($1::bigint[], $2::uuid[], $3::timestamptz[]) WITH ORDINALITY AS sign (app_id, device_id, at, position)
    JOIN landfall.installation AS known
      ON known.app_id = sign.app_id
     AND known.device_id = sign.device_id
), touched AS (
    UPDATE landfall.installation
    SET last_sign_of_life_at = greatest(installation.last_sign_of_life_at, heard.at), tokenless_since = NULL,
        tokenless_visits = 0
    FROM heard
    WHERE installation.app_id = heard.app_id
      AND installation.device_id = heard.device_id
      AND NOT heard.is_erased
      AND (heard.last_sign_of_life_at <= heard.at - interval '1 day'
           AND installation.last_sign_of_life_at <= heard.at - interval '1 day'
           OR installation.tokenless_since <= heard.at)
      AND installation.erased_at IS NULL
)
SELECT position, installation_id, last_sign_of_life_at, is_erased, is_tokenless
FROM heard;
