-- What was erased of this installation? No row if it was never erased.
-- $1 app_id, $2 installation_id
SELECT receipt_id, erased_at, token_count, value_count, account_binding_count, permission_period_count, tag_count
FROM landfall.erasure_receipt
WHERE app_id = $1 AND installation_id = $2;
