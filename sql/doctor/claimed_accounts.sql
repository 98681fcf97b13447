-- Of the accounts that signed in recently, how many does only the device name, without a proof of the app's backend?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive).
-- Grain: one row.

SELECT count(*) AS binding_count,
       count(*) FILTER (WHERE NOT is_verified) AS claimed_count
  FROM landfall.account_binding
 WHERE app_id = $1
   AND bound_at >= $2
   AND bound_at < $3;
