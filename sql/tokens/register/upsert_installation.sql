-- Records what an installation says about itself; values that it leaves out stay. No row, and no change, if a later registration
-- is recorded or the installation was erased.
-- $1 app_id, $2 device_id, $3 platform, $4 app_version, $5 os_version, $6 language, $7 time_zone, $8 model, $9 permission,
-- $10 tags, $11 instant of the registration
INSERT INTO landfall.installation AS known (app_id, device_id, platform, app_version, os_version, language, time_zone,
                                            model, permission, tags, first_registered_at, last_registered_at,
                                            last_sign_of_life_at)
VALUES ($1, $2, coalesce($3, ''), coalesce($4, ''), coalesce($5, ''), coalesce($6, ''), coalesce($7, ''),
        coalesce($8, ''), coalesce($9, ''), coalesce($10, '{}'), $11, $11, $11)
ON CONFLICT (app_id, device_id) DO UPDATE
SET platform             = coalesce($3, known.platform),
    app_version          = coalesce($4, known.app_version),
    os_version           = coalesce($5, known.os_version),
    language             = coalesce($6, known.language),
    time_zone            = coalesce($7, known.time_zone),
    model                = coalesce($8, known.model),
    permission           = coalesce($9, known.permission),
    tags                 = coalesce($10, known.tags),
    last_registered_at   = $11,
    last_sign_of_life_at = greatest(known.last_sign_of_life_at, $11)
WHERE known.last_registered_at <= $11 AND known.erased_at IS NULL
RETURNING known.installation_id;
