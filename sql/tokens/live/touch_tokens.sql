-- Updates the last sign of life of tokens, at most once a day each. One row per token updated, with its position and state.
-- $1 token_id[], $2 instant[], sorted by token_id
UPDATE landfall.token
SET last_sign_of_life_at = sign.at
FROM unnest($1::bigint[], $2::timestamptz[]) WITH ORDINALITY AS sign (token_id, at, position)
WHERE token.token_id = sign.token_id
  AND token.last_sign_of_life_at <= sign.at - interval '1 day'
RETURNING sign.position, token.token_id, token.state;
