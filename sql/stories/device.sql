-- The story of a device.

-- name: device
-- What is known about a device?
--
-- Parameters: $1 app, $2 device_id.
-- Grain: at most one row.

SELECT installation_id, device_id, platform, app_version, os_version, language, time_zone, model, permission,
       turned_off, registration_error, coalesce(missing_categories, '{}') AS missing_categories, kit, tags,
       claimed_tags, credential_digest IS NOT NULL AS has_credential, first_registered_at, last_registered_at,
       last_sign_of_life_at, erased_at
  FROM landfall.installation
 WHERE app_id = $1 AND device_id = $2;

-- name: device_accounts
-- Which accounts were signed in on an installation, and when?
--
-- Parameters: $1 app, $2 installation.
-- Grain: one row per binding, in time order.

SELECT account, is_verified, bound_at, unbound_at
  FROM landfall.account_binding
 WHERE app_id = $1 AND installation_id = $2
 ORDER BY bound_at, account;

-- name: tokens_of_installation
-- Which tokens does this installation hold, or did it hold last?
--
-- Parameters: $1 app, $2 installation, $3 limit.
-- Grain: one row per token, the newest first.

SELECT token_id
  FROM landfall.token
 WHERE app_id = $1 AND installation_id = $2
 ORDER BY first_seen_at DESC, token_id DESC
 LIMIT $3;

-- name: devices_of_installations
-- Which device does each of these installations belong to?
--
-- Parameters: $1 app, $2 installation_id[].
-- Grain: one row per installation of the app.

SELECT installation_id, device_id
  FROM landfall.installation
 WHERE app_id = $1 AND installation_id = ANY ($2::bigint[]);
