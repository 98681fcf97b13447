-- Apps that move to another cell (docs/decisions/0062).

-- Nearly always empty. Every transaction that writes rows of apps reads this table (refuse_moving) and holds
-- it until its end. So one that locks it exclusively to change a row knows that no earlier writer can commit
-- anymore, and that all others see the row.
CREATE TABLE landfall.app_move (
    app_id bigint NOT NULL, state text NOT NULL, cell integer NOT NULL, move_id uuid NOT NULL,
    changed_at timestamptz NOT NULL, days timestamptz[] DEFAULT '{}' NOT NULL, origin text,
    CONSTRAINT app_move_pkey PRIMARY KEY (app_id),
    CONSTRAINT app_move_state_check CHECK (state IN ('serving', 'leaving', 'left', 'removed', 'copying', 'arriving'))
);
COMMENT ON TABLE landfall.app_move IS 'One row per app whose rows are being moved from or to another cell, or were. Unless it is serving, they must not be written here.';
COMMENT ON COLUMN landfall.app_move.state IS 'serving: the rows here are the app, and are written while days of them are copied; leaving: they are no longer written, and the rest is copied; left: the other cell has the app, and the rows here may be removed; removed: they were. copying: the rows here are a part of the app; arriving: they are a copy, which becomes the app, unless the move was aborted.';
COMMENT ON COLUMN landfall.app_move.cell IS 'The other cell.';
COMMENT ON COLUMN landfall.app_move.move_id IS 'Identifies the move in both cells. A copy that an earlier move left behind has another one.';
COMMENT ON COLUMN landfall.app_move.changed_at IS 'When the state or the days last changed.';
COMMENT ON COLUMN landfall.app_move.days IS 'The starts of the UTC days whose notifications were copied here while the other cell served them.';
COMMENT ON COLUMN landfall.app_move.origin IS 'While it is serving: the start of the PostgreSQL server and the table that had this row first. A restored database has others.';

-- What packing notes does not help: it empties delivery_change. These come to the other cell with the app.
CREATE TABLE landfall.app_move_change (
    app_id bigint NOT NULL, sent_at timestamptz NOT NULL, notification_id uuid NOT NULL,
    change_id uuid NOT NULL DEFAULT gen_random_uuid(),
    CONSTRAINT app_move_change_pkey PRIMARY KEY (app_id, sent_at, change_id)
);
COMMENT ON TABLE landfall.app_move_change IS 'The keys of rows of delivery that changed while the app was being moved, one for each change.';
COMMENT ON COLUMN landfall.app_move_change.sent_at IS 'The sent_at of the row in delivery.';
COMMENT ON COLUMN landfall.app_move_change.notification_id IS 'The notification.';
COMMENT ON COLUMN landfall.app_move_change.change_id IS 'Makes a key: a second change of a row waits for none.';

-- Updates change no key, and of OLD and NEW, the one that a statement lacks is null.
CREATE FUNCTION landfall.note_moving_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_ARGV[0]::bigint IN (OLD.app_id, NEW.app_id) THEN
        INSERT INTO landfall.app_move_change
        VALUES (TG_ARGV[0]::bigint, coalesce(OLD.sent_at, NEW.sent_at), coalesce(OLD.notification_id, NEW.notification_id));
    END IF;
    RETURN NULL;
END;
$$;
COMMENT ON FUNCTION landfall.note_moving_delivery IS 'Trigger on a day that is copied to another cell, for one app.';

CREATE FUNCTION landfall.refuse_writing(app_id bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'app % is being moved', app_id USING ERRCODE = 'LF001';
END;
$$;
COMMENT ON FUNCTION landfall.refuse_writing IS 'Fails, and names the app (SQLSTATE LF001).';

CREATE TABLE landfall.key_redirect (
    digest bytea NOT NULL, app_id bigint NOT NULL, cell integer NOT NULL,
    CONSTRAINT key_redirect_pkey PRIMARY KEY (digest)
);
COMMENT ON TABLE landfall.key_redirect IS 'One row per key of an app that has left this cell. The text of the key still names this cell.';
COMMENT ON COLUMN landfall.key_redirect.digest IS 'SHA-256 of the whole key.';
COMMENT ON COLUMN landfall.key_redirect.cell IS 'The cell that the app moved to.';
