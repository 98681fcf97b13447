-- The next items of a walk through a quarantine, the oldest first.
-- $1 app_id, $2 code[], $3 item_id[], $4 received from (inclusive), $5 received until (exclusive); null: any; $6 limit,
-- $7 whether to return the texts, $8 after this item, $9 up to this one.
SELECT item_id, received_at, code, detail, poster, CASE WHEN $7 THEN sealed_text END AS sealed_text
  FROM landfall.quarantined_item
 WHERE app_id = $1 AND item_id > $8 AND item_id <= $9
   AND ($2::text[] IS NULL OR code = ANY ($2))
   AND ($3::bigint[] IS NULL OR item_id = ANY ($3))
   AND ($4::timestamptz IS NULL OR received_at >= $4)
   AND ($5::timestamptz IS NULL OR received_at < $5)
 ORDER BY item_id
 LIMIT $6;
