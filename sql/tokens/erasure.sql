-- Erasure of installations, and of accounts that have left an installation.

-- name: find_account_devices
-- On which installations was this account signed in, and was it the last account there? One row per
-- installation that is not erased.
-- $1 app_id, $2 account IS NOT DISTINCT FROM makes the planner look up each installation, instead of reading
-- all rows of the app for each.
SELECT installation.device_id,
       NOT EXISTS (SELECT 1
                   FROM landfall.account_binding AS other
                   WHERE other.app_id IS NOT DISTINCT FROM $1
                     AND other.installation_id = installation.installation_id AND other.account <> $2
                     AND (other.unbound_at IS NULL OR other.bound_at > held.last_bound_at)) AS is_last
FROM (SELECT binding.installation_id, max(binding.bound_at) AS last_bound_at
      FROM landfall.account_binding AS binding
      WHERE binding.app_id = $1 AND binding.account = $2
      GROUP BY binding.installation_id) AS held
JOIN landfall.installation
  ON installation.app_id IS NOT DISTINCT FROM $1 AND installation.installation_id = held.installation_id
WHERE installation.erased_at IS NULL
ORDER BY installation.device_id;

-- name: plan_erasure
-- What would an erasure of these installations, one after another, erase? One row per installation that is
-- not erased yet.
-- $1 app_id, $2 device_id[] A merged token is reached by its value, as in erase_installation. Only the first
-- erasure that reaches it erases the value. IS NOT DISTINCT FROM makes the planner count by installation, and
-- not by reading all rows of the app for each.
SELECT device_id,
       count(token_id) AS tokens,
       count(token_id) FILTER (WHERE is_first AND has_value) AS token_values,
       (SELECT count(*) FROM landfall.account_binding AS binding
         WHERE binding.app_id IS NOT DISTINCT FROM $1
           AND binding.installation_id = reached.installation_id) AS account_bindings,
       (SELECT count(*) FROM landfall.permission_period AS period
         WHERE period.app_id = $1 AND period.installation_id = reached.installation_id) AS permission_periods,
       tags
FROM (
    SELECT installation.device_id, installation.installation_id, named.*,
           (cardinality(installation.tags) + cardinality(installation.claimed_tags))::bigint AS tags,
           row_number() OVER (PARTITION BY named.token_id ORDER BY installation.device_id) = 1 AS is_first
    FROM landfall.installation
    LEFT JOIN LATERAL (
        SELECT token_id, sealed_value IS NOT NULL AS has_value FROM landfall.token
        WHERE app_id IS NOT DISTINCT FROM $1 AND installation_id = installation.installation_id
        UNION
        SELECT merged.token_id, merged.sealed_value IS NOT NULL
        FROM landfall.token AS own
        JOIN landfall.token AS merged ON merged.fingerprint = own.fingerprint AND merged.app_id = own.app_id
        WHERE own.app_id IS NOT DISTINCT FROM $1 AND own.installation_id = installation.installation_id
          AND merged.cause = 'merged'
    ) AS named ON true
    WHERE installation.app_id = $1 AND installation.device_id = ANY ($2::uuid[])
      AND installation.erased_at IS NULL
) AS reached
GROUP BY device_id, installation_id, tags
ORDER BY device_id;

-- name: erase_installation
-- Erases what an installation says about a person: its columns, accounts, permissions and the values of its
-- tokens. A tombstone and the tokens' fingerprints remain. One row with counts.
-- $1 app_id, $2 installation_id, $3 now, $4 receipt_id Tokens that were merged into its tokens have the same
-- values, even if the tokens were another installation's at that time. A token that is already retired also
-- loses its value, and its cause changes to one that only a new registration can revive. A merged token stays
-- merged, so that what is said under its address is still about the registered token. IS NOT DISTINCT FROM
-- makes the planner look up the rows, instead of reading an index of all rows of the app.
WITH known AS (
    SELECT cardinality(tags) + cardinality(claimed_tags) AS tag_count
    FROM landfall.installation
    WHERE app_id IS NOT DISTINCT FROM $1 AND installation_id = $2
), emptied AS (
    UPDATE landfall.installation
    SET platform = '', app_version = '', os_version = '', language = '', time_zone = '', model = '', permission = '',
        tags = '{}', claimed_tags = '{}', credential_digest = NULL, erased_at = $3,
        kit = '', turned_off = NULL, registration_error = '', missing_categories = NULL, tokenless_since = NULL,
        tokenless_visits = 0
    WHERE app_id IS NOT DISTINCT FROM $1 AND installation_id = $2
), unbound AS (
    DELETE FROM landfall.account_binding
    WHERE app_id IS NOT DISTINCT FROM $1 AND installation_id = $2
    RETURNING 1
), forgotten AS (
    DELETE FROM landfall.permission_period WHERE app_id = $1 AND installation_id = $2 RETURNING 1
), freed AS (
    DELETE FROM landfall.token_slot WHERE app_id = $1 AND installation_id = $2
), held AS (
    SELECT token_id, state, sealed_value IS NOT NULL AS has_value
    FROM landfall.token
    WHERE token_id = ANY (ARRAY(
        SELECT token_id FROM landfall.token WHERE app_id = $1 AND installation_id = $2
        UNION
        SELECT merged.token_id
        FROM landfall.token AS own
        JOIN landfall.token AS merged ON merged.fingerprint = own.fingerprint AND merged.app_id = own.app_id
        WHERE own.app_id = $1 AND own.installation_id = $2 AND merged.cause = 'merged'))
      AND app_id IS NOT DISTINCT FROM $1
    ORDER BY fingerprint, provider, environment, topic
    FOR UPDATE
), erased AS (
    UPDATE landfall.token
    SET state = 'retired', cause = CASE WHEN token.cause = 'merged' THEN 'merged' ELSE 'erased' END,
        sealed_value = NULL, sealed_keys = NULL, expires_at = NULL,
        platform = '', app_version = '', os_version = '', language = '', permission = '',
        state_changed_at = CASE WHEN held.state = 'retired' THEN token.state_changed_at ELSE $3 END
    FROM held
    WHERE token.token_id = held.token_id
    RETURNING token.token_id, held.state AS state_before, held.has_value
), noted AS (
    INSERT INTO landfall.token_transition (app_id, token_id, at, from_state, to_state, rule, evidence)
    SELECT $1, token_id, $3, state_before, 'retired', 'erased', '{}' FROM erased
    ORDER BY token_id
)
INSERT INTO landfall.erasure_receipt (receipt_id, app_id, installation_id, erased_at, token_count, value_count,
                                      account_binding_count, permission_period_count, tag_count)
SELECT $4, $1, $2, $3,
       (SELECT count(*) FROM erased), (SELECT count(*) FILTER (WHERE has_value) FROM erased),
       (SELECT count(*) FROM unbound), (SELECT count(*) FROM forgotten), known.tag_count
FROM known
RETURNING receipt_id, erased_at, token_count AS tokens, value_count AS token_values,
          account_binding_count AS account_bindings, permission_period_count AS permission_periods, tag_count AS tags;

-- name: forget_account
-- Deletes the bindings of an account to an installation that another account has used since. One row per
-- binding.
-- $1 app_id, $2 installation_id, $3 account
DELETE FROM landfall.account_binding
WHERE app_id = $1 AND installation_id = $2 AND account = $3
RETURNING installation_id;

-- name: read_receipt
-- What was erased of this installation? No row if it was never erased.
-- $1 app_id, $2 installation_id
SELECT receipt_id, erased_at, token_count AS tokens, value_count AS token_values,
       account_binding_count AS account_bindings, permission_period_count AS permission_periods, tag_count AS tags
FROM landfall.erasure_receipt
WHERE app_id = $1 AND installation_id = $2;
