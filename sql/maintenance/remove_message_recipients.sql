-- Deletes one batch of recipients of messages. One row: how many.
-- $1 sent before this instant, $2 limit. Rows that a writer has locked are left for the next run.
WITH old AS (
    SELECT message_id, token_id, app_id FROM landfall.message_recipient
     WHERE sent_at < $1 ORDER BY sent_at LIMIT $2
       FOR UPDATE SKIP LOCKED
), removed AS (
    DELETE FROM landfall.message_recipient AS known USING old
     WHERE known.message_id = old.message_id AND known.token_id = old.token_id AND known.app_id = old.app_id
    RETURNING 1
)
SELECT count(*) AS row_count FROM removed;
