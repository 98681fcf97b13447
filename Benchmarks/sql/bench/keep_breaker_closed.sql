-- Lets an app retire all of its tokens at once. $1 app
UPDATE landfall.app SET settings = settings || '{"breaker_share": 1}' WHERE app_id = $1;
