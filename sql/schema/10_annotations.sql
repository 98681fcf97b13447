-- What people note about a time, such as a release, so that reports can show it next to the numbers.

CREATE TABLE landfall.annotation (
    annotation_id bigint GENERATED ALWAYS AS IDENTITY, app_id bigint NOT NULL, at timestamptz NOT NULL,
    until timestamptz, text text NOT NULL, campaign text, created_by text NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT annotation_pkey PRIMARY KEY (app_id, annotation_id),
    CONSTRAINT annotation_text_check CHECK (char_length(text) BETWEEN 1 AND 200),
    CONSTRAINT annotation_until_check CHECK (until > at)
);
COMMENT ON TABLE landfall.annotation IS 'One row per annotation: a note about an instant or a span of time.';
COMMENT ON COLUMN landfall.annotation.annotation_id IS 'Identifies the annotation.';
COMMENT ON COLUMN landfall.annotation.at IS 'The instant it is about, or the start of the span.';
COMMENT ON COLUMN landfall.annotation.until IS 'The end of the span; null for an instant.';
COMMENT ON COLUMN landfall.annotation.text IS 'The note, one line.';
COMMENT ON COLUMN landfall.annotation.campaign IS 'The campaign it is about; null: the whole app.';
COMMENT ON COLUMN landfall.annotation.created_by IS 'The name of the person, or command line.';
COMMENT ON COLUMN landfall.annotation.created_at IS 'When it was written.';
CREATE INDEX annotation_time_idx ON landfall.annotation (app_id, at);
