-- How many items are in quarantine for which reason? One row per code, the most frequent first.
-- $1 app_id, $2 code[], $3 item_id[], $4 received from (inclusive), $5 received until (exclusive), $6 poster; null: any.
SELECT code, count(*) AS items, sum(octet_length(sealed_text))::bigint AS bytes, min(received_at) AS oldest,
       max(received_at) AS newest
  FROM landfall.quarantined_item
 WHERE app_id = $1
   AND ($2::text[] IS NULL OR code = ANY ($2))
   AND ($3::bigint[] IS NULL OR item_id = ANY ($3))
   AND ($4::timestamptz IS NULL OR received_at >= $4)
   AND ($5::timestamptz IS NULL OR received_at < $5)
   AND ($6::text IS NULL OR poster = $6)
 GROUP BY code
 ORDER BY items DESC, code;
