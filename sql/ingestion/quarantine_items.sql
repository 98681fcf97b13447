-- Keeps rejected items with their text and the reason.
-- $1 app_id[], $2 code[], $3 detail[], $4 sealed_text[], $5 now
INSERT INTO landfall.quarantined_item (app_id, received_at, code, detail, sealed_text)
SELECT app_id, $5, code, detail, sealed_text
FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bytea[]) AS item (app_id, code, detail, sealed_text);
