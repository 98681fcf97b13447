-- Links tokens that lost their slot to those that took it.
-- $1 app_id, $2 token_id[], $3 successor's token_id[]
UPDATE landfall.token SET successor_id = link.successor_id
FROM unnest($2::bigint[], $3::bigint[]) AS link (token_id, successor_id)
WHERE token.token_id = link.token_id AND token.app_id = $1;
