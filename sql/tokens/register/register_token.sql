-- Makes a token an active token of an installation.
-- $1 app_id, $2 provider, $3 environment, $4 topic, $5 fingerprint, $6 kind, $7 sealed_value, $8 installation_id, $9 instant of
-- the registration, $10 now, $11 when the value stops working, or null, $12 when it last returned to its slot, or null, $13 does a
-- server vouch for it
INSERT INTO landfall.token AS known (app_id, provider, environment, topic, fingerprint, kind, sealed_value,
                                     installation_id, state, first_seen_at, last_registered_at, last_sign_of_life_at,
                                     state_changed_at, expires_at, returned_at, is_vouched)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'active', $9, $9, $9, $10, $11, $12, $13)
ON CONFLICT (fingerprint, app_id, provider, environment, topic) DO UPDATE
SET kind                 = excluded.kind,
    sealed_value         = excluded.sealed_value,
    installation_id      = excluded.installation_id,
    state                = 'active',
    cause                = NULL,
    successor_id         = NULL,
    expires_at           = excluded.expires_at,
    returned_at          = excluded.returned_at,
    is_vouched           = known.is_vouched OR excluded.is_vouched,
    first_ignored_at     = CASE WHEN known.installation_id = excluded.installation_id THEN known.first_ignored_at END,
    ignored_count        = CASE WHEN known.installation_id = excluded.installation_id THEN known.ignored_count ELSE 0 END,
    first_rejected_at     = NULL,
    last_rejected_at      = NULL,
    died_at              = NULL,
    last_registered_at   = greatest(known.last_registered_at, excluded.last_registered_at),
    last_sign_of_life_at = greatest(known.last_sign_of_life_at, excluded.last_sign_of_life_at),
    state_changed_at     = CASE WHEN known.state = 'active' THEN known.state_changed_at ELSE $10 END
RETURNING known.token_id;
