-- A registration's installation: found, checked against the values it holds, described.

-- name: find_installation
-- Which installation does this device have, when was it erased, and which credential does it have? Locks it,
-- so that registrations of one installation run one after another.
-- $1 app_id, $2 device_id
SELECT installation_id, erased_at, credential_digest FROM landfall.installation
WHERE app_id = $1 AND device_id = $2
FOR UPDATE;

-- name: find_current_values
-- Does this installation have tokens, and does the request name the value of one of them?
-- $1 installation_id, $2 fingerprint[]
SELECT count(*) > 0 AS has_tokens, coalesce(bool_or(token.fingerprint = ANY ($2)), false) AS names_one
FROM landfall.token_slot AS slot
JOIN landfall.token ON token.token_id = slot.token_id
WHERE slot.installation_id = $1;

-- name: upsert_installation
-- Records what an installation says about itself; values that it leaves out stay. No row, and no change, if a
-- later registration is recorded, the installation was erased, or it came into being since it was looked for.
-- Without a proof, a device can drop tags, but not add any: those become claimed tags.
-- $1 app_id, $2 device_id, $3 platform, $4 app_version, $5 os_version, $6 language, $7 time_zone, $8 model,
-- $9 permission,
-- $10 tags, $11 instant of the registration, $12 are the tags verified, $13 digest of a new credential or
-- null,
-- $14 the installation, if there is one; null if there is none, $15 kit, $16 what the user turned off, $17
-- the error for which there is no token: without one, an earlier error is over, $18 categories that the app
-- has not registered, $19 did it say that it has no token; null: it said nothing about tokens. The tags are
-- computed before the insertion, because Citus accepts no subquery in DO UPDATE; the row is locked by then.
WITH recorded AS (
    INSERT INTO landfall.installation AS known (app_id, device_id, platform, app_version, os_version, language, time_zone,
                                                model, permission, tags, claimed_tags, credential_digest, first_registered_at,
                                                last_registered_at, last_sign_of_life_at, kit, turned_off,
                                                registration_error, missing_categories, tokenless_since,
                                                tokenless_visits)
    SELECT $1, $2, coalesce($3, ''), coalesce($4, ''), coalesce($5, ''), coalesce($6, ''), coalesce($7, ''),
           coalesce($8, ''), coalesce($9, ''),
           CASE WHEN $12 THEN coalesce($10, '{}')
                ELSE ARRAY(SELECT tag FROM unnest(former.tags) AS tag WHERE tag = ANY ($10)) END,
           CASE WHEN $12 THEN '{}' ELSE ARRAY(SELECT tag FROM unnest($10) AS tag WHERE tag <> ALL (former.tags)) END,
           $13, $11, $11, $11, coalesce($15, ''), $16, coalesce($17, ''), nullif($18, '{}'),
           CASE WHEN $19 THEN $11 END, CASE WHEN $19 THEN 1 ELSE 0 END
      FROM (SELECT coalesce((SELECT tags FROM landfall.installation WHERE installation_id = $14), '{}') AS tags) AS former
    ON CONFLICT (app_id, device_id) DO UPDATE
    SET platform = coalesce($3, known.platform), app_version = coalesce($4, known.app_version),
        os_version = coalesce($5, known.os_version), language = coalesce($6, known.language),
        time_zone = coalesce($7, known.time_zone), model = coalesce($8, known.model),
        permission = coalesce($9, known.permission), kit = coalesce($15, known.kit),
        turned_off = coalesce($16, known.turned_off), registration_error = coalesce($17, ''),
        credential_digest = coalesce($13, known.credential_digest),
        missing_categories = CASE WHEN $18 IS NULL THEN known.missing_categories ELSE nullif($18, '{}') END,
        tags = CASE WHEN $10 IS NULL THEN known.tags ELSE excluded.tags END,
        claimed_tags = CASE WHEN $10 IS NULL THEN known.claimed_tags ELSE excluded.claimed_tags END,
        tokenless_since = CASE WHEN $19 THEN coalesce(known.tokenless_since, $11)
                               WHEN $19 IS NULL THEN known.tokenless_since END,
        tokenless_visits = CASE WHEN $19 IS NULL THEN known.tokenless_visits
                                WHEN NOT $19 THEN 0
                                WHEN known.tokenless_visits > 0
                                 AND date_bin('24 hours', known.last_registered_at, '2000-01-01 00:00:00+00')
                                     = date_bin('24 hours', $11, '2000-01-01 00:00:00+00')
                                THEN known.tokenless_visits
                                ELSE known.tokenless_visits + 1 END,
        last_registered_at = $11, last_sign_of_life_at = greatest(known.last_sign_of_life_at, $11)
    WHERE known.last_registered_at <= $11 AND known.erased_at IS NULL AND known.installation_id = $14
    RETURNING known.installation_id
), failed AS (
    INSERT INTO landfall.registration_failure (app_id, day, installation_id, failed_at)
    SELECT $1, date_trunc('day', $11, 'UTC'), installation_id, $11
      FROM recorded
     WHERE coalesce($17, '') <> ''
    ON CONFLICT DO NOTHING
)
SELECT installation_id FROM recorded;

-- name: end_verification
-- Makes claims of the account and the tags of an installation, unless a later registration is recorded. Were
-- there any?
-- $1 installation_id, $2 the time of the registration
WITH found AS (
    SELECT installation_id FROM landfall.installation WHERE installation_id = $1 AND last_registered_at <= $2
), account AS (
    UPDATE landfall.account_binding AS binding SET is_verified = false
    FROM found
    WHERE binding.installation_id = found.installation_id AND binding.unbound_at IS NULL AND binding.is_verified
    RETURNING 1
), described AS (
    UPDATE landfall.installation AS known
    SET claimed_tags = known.claimed_tags
            || ARRAY(SELECT tag FROM unnest(known.tags) AS tag WHERE tag <> ALL (known.claimed_tags)),
        tags = '{}'
    FROM found
    WHERE known.installation_id = found.installation_id AND known.tags <> '{}'
    RETURNING 1
)
SELECT EXISTS (SELECT FROM account) OR EXISTS (SELECT FROM described) AS was_verified;
