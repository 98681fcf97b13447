-- Which items are in quarantine? The newest first.
-- $1 app_id, $2 code[], $3 item_id[], $4 received from (inclusive), $5 received until (exclusive), $6 poster; null: any;
-- $7 limit, $8 whether to return the texts.
SELECT item_id, received_at, code, detail, poster, CASE WHEN $8 THEN sealed_text END AS sealed_text
  FROM landfall.quarantined_item
 WHERE app_id = $1
   AND ($2::text[] IS NULL OR code = ANY ($2))
   AND ($3::bigint[] IS NULL OR item_id = ANY ($3))
   AND ($4::timestamptz IS NULL OR received_at >= $4)
   AND ($5::timestamptz IS NULL OR received_at < $5)
   AND ($6::text IS NULL OR poster = $6)
 ORDER BY item_id DESC
 LIMIT $7;
