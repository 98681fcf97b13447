-- Whether rows of apps may be written: not while the apps are being moved, unless they still serve here.

-- part: moving_apps
ARRAY(SELECT moving.app_id FROM landfall.app_move AS moving WHERE moving.state <> 'serving')

-- part: copies_of_apps
ARRAY(SELECT moving.app_id FROM landfall.app_move AS moving WHERE moving.state NOT IN ('serving', 'leaving'))

-- part: incomplete_apps
ARRAY(SELECT moving.app_id FROM landfall.app_move AS moving WHERE moving.state = 'copying')

-- part: departed_apps
ARRAY(SELECT moving.app_id FROM landfall.app_move AS moving WHERE moving.state IN ('left', 'removed'))

-- name: refuse_moving
-- Fails if one of these apps is being moved (SQLSTATE LF001). Until the transaction ends, no move of an app
-- begins or ends. No row. $1 app_id[]
SELECT landfall.refuse_writing(app_id) AS is_refused FROM landfall.app_move
WHERE app_id = ANY ($1::bigint[]) AND state <> 'serving';
