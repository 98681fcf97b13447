-- Apps that move to another cell (docs/decisions/0062).

-- Nearly always empty. Every transaction that writes rows of apps reads this table first (refuse_moving). So
-- one that locks it exclusively to change a row knows that all earlier writers have ended, and that all later
-- ones see the row.
CREATE TABLE landfall.app_move (
    app_id bigint NOT NULL, state text NOT NULL, cell integer NOT NULL, move_id uuid NOT NULL,
    changed_at timestamptz NOT NULL,
    CONSTRAINT app_move_pkey PRIMARY KEY (app_id),
    CONSTRAINT app_move_state_check CHECK (state IN ('leaving', 'left', 'removed', 'arriving'))
);
COMMENT ON TABLE landfall.app_move IS 'One row per app whose rows must not be written here, because they are being moved from or to another cell, or were.';
COMMENT ON COLUMN landfall.app_move.state IS 'leaving: the rows here are the app, and are being copied; left: the other cell has the app, and the rows here may be removed; removed: they were. arriving: the rows here are a copy, which becomes the app, unless the move was aborted.';
COMMENT ON COLUMN landfall.app_move.cell IS 'The other cell.';
COMMENT ON COLUMN landfall.app_move.move_id IS 'Identifies the move in both cells. A copy that an earlier move left behind has another one.';
COMMENT ON COLUMN landfall.app_move.changed_at IS 'When the state last changed.';

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
