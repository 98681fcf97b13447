-- Frees the slots that these tokens held. $1 app_id, $2 token_id[]
DELETE FROM landfall.token_slot WHERE token_id = ANY ($2::bigint[]) AND app_id = $1;
