-- Which responses lately are on no list, so that they count as unknown, or as any other reason under their status?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours.
-- Grain: one row per response in the provider's words, the most frequent first. `attempted` is that of all pushes in these hours.

WITH counted AS MATERIALIZED (
    SELECT answer_id, sum(rejected)::bigint AS rejected
      FROM landfall.rejection_rollup
     WHERE app_id = $1 AND quarter >= $2 AND quarter < $3
     GROUP BY answer_id
    HAVING sum(rejected) > 0
)
SELECT answer.provider, answer.status::bigint AS status, nullif(answer.reason, '') AS reason, counted.rejected,
       (SELECT coalesce(sum(attempted), 0)::bigint
          FROM landfall.delivery_rollup
         WHERE app_id = $1 AND quarter >= $2 AND quarter < $3) AS attempted
  FROM counted
  JOIN landfall.provider_answer AS answer ON answer.answer_id = counted.answer_id
 WHERE NOT landfall.is_listed_answer(answer.provider, answer.status, answer.reason)
 ORDER BY counted.rejected DESC, answer.provider, answer.status, answer.reason;
