-- When tokens died, the breaker against mass retirement, and runs that undo (docs/tokens.md).

ALTER TABLE landfall.token ADD COLUMN died_at timestamptz;
COMMENT ON COLUMN landfall.token.died_at IS 'When it died by a provider''s word: its own time, else the send time of the refused push; at most a day behind. Null when none said so since the last registration. A registration dated back to before it revives nothing.';

-- Few at a time: what the breaker holds back until somebody decides.
CREATE INDEX token_held_idx ON landfall.token (app_id, environment, topic, token_id) WHERE cause = 'breaker';

CREATE TABLE landfall.token_breaker (
    app_id            bigint NOT NULL,
    environment       text NOT NULL,
    topic             text NOT NULL,
    opened_at         timestamptz,
    decided_minute    timestamptz,
    decided_attempted bigint NOT NULL DEFAULT 0,
    decided_retired   bigint NOT NULL DEFAULT 0,
    CONSTRAINT token_breaker_pkey PRIMARY KEY (app_id, environment, topic)
) WITH (fillfactor = 50);
COMMENT ON TABLE landfall.token_breaker IS 'The breakers against mass retirement. Whoever wants to retire tokens because of answers locks the row first, so that the limit holds however many write.';
COMMENT ON COLUMN landfall.token_breaker.app_id IS 'The app.';
COMMENT ON COLUMN landfall.token_breaker.environment IS 'production or sandbox.';
COMMENT ON COLUMN landfall.token_breaker.topic IS 'The topic of the tokens; empty when unknown.';
COMMENT ON COLUMN landfall.token_breaker.opened_at IS 'Since when answers retire no token; null while they do. Open until somebody decides.';
COMMENT ON COLUMN landfall.token_breaker.decided_minute IS 'The minute, UTC, in which somebody decided last: what was counted before it counts no more. Null for never.';
COMMENT ON COLUMN landfall.token_breaker.decided_attempted IS 'What attempted had reached within that minute; it counts no more either.';
COMMENT ON COLUMN landfall.token_breaker.decided_retired IS 'What retired had reached within that minute.';

CREATE TABLE landfall.token_breaker_minute (
    app_id      bigint NOT NULL,
    environment text NOT NULL,
    topic       text NOT NULL,
    slot        smallint NOT NULL,
    place       smallint NOT NULL,
    minute      timestamptz NOT NULL,
    attempted   bigint NOT NULL,
    retired     bigint NOT NULL,
    CONSTRAINT token_breaker_minute_pkey PRIMARY KEY (app_id, environment, topic, slot, place)
) WITH (fillfactor = 50);
COMMENT ON TABLE landfall.token_breaker_minute IS 'What breakers count, by the minute in which answers were written. A ring: a minute takes the place of the one 16 minutes before.';
COMMENT ON COLUMN landfall.token_breaker_minute.app_id IS 'The app.';
COMMENT ON COLUMN landfall.token_breaker_minute.environment IS 'As in token_breaker.';
COMMENT ON COLUMN landfall.token_breaker_minute.topic IS 'As in token_breaker.';
COMMENT ON COLUMN landfall.token_breaker_minute.slot IS 'The writer''s number, so that concurrent writers do not wait for each other. Sums over slots are what counts.';
COMMENT ON COLUMN landfall.token_breaker_minute.place IS 'The minute modulo 16.';
COMMENT ON COLUMN landfall.token_breaker_minute.minute IS 'The start of the minute, UTC, by the server''s clock.';
COMMENT ON COLUMN landfall.token_breaker_minute.attempted IS 'Answers about tokens.';
COMMENT ON COLUMN landfall.token_breaker_minute.retired IS 'Tokens retired because of answers.';

-- The ledger grows by time, so a few pages of summary are enough to find what was written since.
CREATE INDEX token_transition_at_idx ON landfall.token_transition USING brin (at);

ALTER TABLE landfall.sweep_run ADD COLUMN action text NOT NULL DEFAULT 'sweep';
ALTER TABLE landfall.sweep_run ADD COLUMN changed_count bigint NOT NULL DEFAULT 0;
ALTER TABLE landfall.sweep_run ADD CONSTRAINT sweep_run_action_check CHECK (action IN ('sweep', 'release', 'confirm', 'restore'));
COMMENT ON TABLE landfall.sweep_run IS 'One row per applied sweep, release, confirmation or restoration.';
COMMENT ON COLUMN landfall.sweep_run.action IS 'sweep, release, confirm or restore.';
COMMENT ON COLUMN landfall.sweep_run.changed_count IS 'Tokens that a run other than a sweep changed.';
COMMENT ON COLUMN landfall.token_transition.run_id IS 'The run of sweep_run that did it; null for what events and registrations did.';
