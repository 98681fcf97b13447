-- What the doctor found in apps over time, and which findings people do not want to see for a while.

CREATE TABLE landfall.finding_episode (
    finding_episode_id bigint GENERATED ALWAYS AS IDENTITY, app_id bigint NOT NULL, finding text NOT NULL,
    severity text NOT NULL, sentence text NOT NULL, opened_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL, resolved_at timestamptz,
    CONSTRAINT finding_episode_pkey PRIMARY KEY (app_id, finding_episode_id),
    CONSTRAINT finding_episode_severity_check CHECK (severity IN ('problem', 'warning')),
    CONSTRAINT finding_episode_last_seen_at_check CHECK (last_seen_at >= opened_at),
    CONSTRAINT finding_episode_resolved_at_check CHECK (resolved_at >= last_seen_at)
);
COMMENT ON TABLE landfall.finding_episode IS 'One row per stretch of time in which an app had a finding of the doctor. Kept for 400 days after its end.';
COMMENT ON COLUMN landfall.finding_episode.finding_episode_id IS 'Identifies the episode.';
COMMENT ON COLUMN landfall.finding_episode.finding IS 'The id of the finding: silent_outage, breaker_open, … New ids may be added.';
COMMENT ON COLUMN landfall.finding_episode.severity IS 'The highest severity during the episode: problem or warning.';
COMMENT ON COLUMN landfall.finding_episode.sentence IS 'The sentence of the last examination that reported the finding; if there were several of this id, that of the most severe.';
COMMENT ON COLUMN landfall.finding_episode.opened_at IS 'The first examination that reported the finding.';
COMMENT ON COLUMN landfall.finding_episode.last_seen_at IS 'The last examination that reported the finding.';
COMMENT ON COLUMN landfall.finding_episode.resolved_at IS 'The first examination that no longer reported it; null while the episode is open.';
CREATE UNIQUE INDEX finding_episode_open_idx ON landfall.finding_episode (app_id, finding) WHERE (resolved_at IS NULL);
CREATE INDEX finding_episode_resolved_idx ON landfall.finding_episode (app_id, resolved_at);

CREATE TABLE landfall.finding_mute (
    app_id bigint NOT NULL, finding text NOT NULL, until timestamptz NOT NULL, muted_by text NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT finding_mute_pkey PRIMARY KEY (app_id, finding),
    CONSTRAINT finding_mute_until_check CHECK (until > created_at)
);
COMMENT ON TABLE landfall.finding_mute IS 'One row per finding of an app that the console does not show among today''s problems until an instant.';
COMMENT ON COLUMN landfall.finding_mute.finding IS 'The id of the finding.';
COMMENT ON COLUMN landfall.finding_mute.until IS 'From when on it is shown again.';
COMMENT ON COLUMN landfall.finding_mute.muted_by IS 'The name of the person who muted it.';
COMMENT ON COLUMN landfall.finding_mute.created_at IS 'When it was muted.';
