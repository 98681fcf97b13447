-- One payload for many devices: which notification a message to a token is (docs/decisions/0020).

CREATE TABLE landfall.message_recipient (
    message_id      uuid NOT NULL,
    token_id        bigint NOT NULL,
    app_id          bigint NOT NULL,
    notification_id uuid NOT NULL,
    sent_at         timestamptz NOT NULL,
    installation_id bigint,
    CONSTRAINT message_recipient_pkey PRIMARY KEY (message_id, token_id, app_id)
);
COMMENT ON TABLE landfall.message_recipient IS 'Which notification an answer about a message to a token belongs to. Decided when the first one is recorded and kept, so that its repeats find it although the token has changed hands since.';
COMMENT ON COLUMN landfall.message_recipient.message_id IS 'The id that all pushes of the message share.';
COMMENT ON COLUMN landfall.message_recipient.token_id IS 'The token that the push went to.';
COMMENT ON COLUMN landfall.message_recipient.app_id IS 'The app.';
COMMENT ON COLUMN landfall.message_recipient.notification_id IS 'The notification: made of message and device; of message and token while nobody has registered the token.';
COMMENT ON COLUMN landfall.message_recipient.sent_at IS 'When it was sent, by its first answer: the date of the row in delivery while installation_id is null.';
COMMENT ON COLUMN landfall.message_recipient.installation_id IS 'The installation that held the token when the first answer was recorded, or that was the first to register it since; null while nobody has.';

CREATE INDEX message_recipient_sent_at_idx ON landfall.message_recipient (sent_at);
-- What waits for somebody to register its token.
CREATE INDEX message_recipient_waiting_idx ON landfall.message_recipient (token_id) WHERE installation_id IS NULL;

COMMENT ON COLUMN landfall.delivery.notification_id IS 'The id the sender chose and put into the payload; of a message to many devices, one made of message and device.';
COMMENT ON COLUMN landfall.delivery.installation_id IS 'The installation that held the token when the answer was recorded; null when none was registered. Of a message, also the one that registered the token first since.';
