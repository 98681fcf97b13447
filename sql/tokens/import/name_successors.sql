-- Links tokens that lost their slot to those that took it.
-- $1 app_id, $2 token_id[], $3 successor's token_id[]
-- OFFSET 0 hides from the planner that the app is the same for all rows, or it would read all of the app's tokens.
UPDATE landfall.token SET successor_id = link.successor_id
FROM (SELECT $1::bigint AS app_id, line.*
      FROM unnest($2::bigint[], $3::bigint[]) AS line (token_id, successor_id)
      OFFSET 0) AS link
WHERE token.token_id = link.token_id AND token.app_id = link.app_id;
