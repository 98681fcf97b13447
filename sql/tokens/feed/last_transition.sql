-- Which is the newest transition of the app's ledger that no open transaction can precede? No row if there is none.
-- $1 app_id, $2 bound of the ledger
SELECT transition_id
FROM landfall.token_transition
WHERE app_id = $1 AND written_by < $2::text::xid8
ORDER BY written_by DESC, transition_id DESC
LIMIT 1;
