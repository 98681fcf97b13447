-- People who use the console: what they may do, how they sign in, and what they did (docs/decisions/0053).

CREATE TABLE landfall.person (
    person_id bigint GENERATED ALWAYS AS IDENTITY, name text NOT NULL, passphrase_hash text,
    created_at timestamptz NOT NULL,
    CONSTRAINT person_pkey PRIMARY KEY (person_id),
    CONSTRAINT person_name_key UNIQUE (name),
    CONSTRAINT person_name_check CHECK (char_length(name) BETWEEN 1 AND 254)
);
COMMENT ON TABLE landfall.person IS 'One row per person who may sign in to the console.';
COMMENT ON COLUMN landfall.person.person_id IS 'Identifies the person. The id of a removed person is never used again.';
COMMENT ON COLUMN landfall.person.name IS 'An e-mail address or user name in lowercase.';
COMMENT ON COLUMN landfall.person.passphrase_hash IS 'scrypt$N$r$p$salt$hash; null until the person sets a passphrase with a link.';
COMMENT ON COLUMN landfall.person.created_at IS 'When the person was added.';

CREATE TABLE landfall.person_grant (
    person_id bigint NOT NULL, app_id bigint, role text NOT NULL,
    CONSTRAINT person_grant_key UNIQUE NULLS NOT DISTINCT (person_id, app_id),
    CONSTRAINT person_grant_role_check CHECK (role IN ('viewer', 'operator', 'admin'))
);
-- Its key has nulls. Logical replication and Citus need to identify the rows.
ALTER TABLE landfall.person_grant REPLICA IDENTITY FULL;
COMMENT ON TABLE landfall.person_grant IS 'One row per role of a person: in one app, or in all apps. The higher one counts.';
COMMENT ON COLUMN landfall.person_grant.person_id IS 'The person.';
COMMENT ON COLUMN landfall.person_grant.app_id IS 'The app; null: all apps, including those that are created later.';
COMMENT ON COLUMN landfall.person_grant.role IS 'viewer: reads reports; operator: also decides about breakers and quarantine, and annotates; admin: also manages people and keys, and erases.';

CREATE VIEW landfall.granted_person AS
SELECT person_id, name, passphrase_hash IS NOT NULL AS has_passphrase,
       ARRAY(SELECT coalesce(person_grant.app_id, 0) FROM landfall.person_grant
              WHERE person_grant.person_id = person.person_id ORDER BY person_grant.app_id) AS grant_app_ids,
       ARRAY(SELECT person_grant.role FROM landfall.person_grant
              WHERE person_grant.person_id = person.person_id ORDER BY person_grant.app_id) AS grant_roles
  FROM landfall.person;
COMMENT ON VIEW landfall.granted_person IS 'People with their grants in two arrays of the same order; app 0: all apps.';

CREATE TABLE landfall.sign_in_link (
    digest bytea NOT NULL, person_id bigint NOT NULL, kind text NOT NULL, created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    CONSTRAINT sign_in_link_pkey PRIMARY KEY (digest),
    CONSTRAINT sign_in_link_kind_check CHECK (kind IN ('set_passphrase', 'sign_in'))
);
COMMENT ON TABLE landfall.sign_in_link IS 'Links that sign a person in once. A row is deleted by its use.';
COMMENT ON COLUMN landfall.sign_in_link.digest IS 'SHA-256 of the secret in the link.';
COMMENT ON COLUMN landfall.sign_in_link.person_id IS 'The person who signs in with it.';
COMMENT ON COLUMN landfall.sign_in_link.kind IS 'set_passphrase: the person sets a passphrase; sign_in: nothing else is asked.';
COMMENT ON COLUMN landfall.sign_in_link.created_at IS 'When it was created.';
COMMENT ON COLUMN landfall.sign_in_link.expires_at IS 'From when on it no longer works.';
CREATE INDEX sign_in_link_person_idx ON landfall.sign_in_link (person_id);

CREATE TABLE landfall.session (
    session_id bigint GENERATED ALWAYS AS IDENTITY, digest bytea NOT NULL, person_id bigint NOT NULL,
    method text NOT NULL, address text NOT NULL, user_agent text NOT NULL, started_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    CONSTRAINT session_pkey PRIMARY KEY (session_id),
    CONSTRAINT session_digest_key UNIQUE (digest),
    CONSTRAINT session_method_check CHECK (method IN ('passphrase', 'link', 'proxy'))
);
COMMENT ON TABLE landfall.session IS 'Browsers that are signed in. A session ends 12 hours after it was last used, at the latest 30 days after its start.';
COMMENT ON COLUMN landfall.session.session_id IS 'Identifies the session where its secret must not be shown.';
COMMENT ON COLUMN landfall.session.digest IS 'SHA-256 of the secret in the cookie.';
COMMENT ON COLUMN landfall.session.person_id IS 'The person who is signed in.';
COMMENT ON COLUMN landfall.session.method IS 'How the person signed in: passphrase, link or proxy.';
COMMENT ON COLUMN landfall.session.address IS 'The address from which the person signed in.';
COMMENT ON COLUMN landfall.session.user_agent IS 'The browser, as it names itself.';
COMMENT ON COLUMN landfall.session.started_at IS 'When the person signed in.';
COMMENT ON COLUMN landfall.session.last_seen_at IS 'When the session was last used, to the minute.';
CREATE INDEX session_person_idx ON landfall.session (person_id);

CREATE TABLE landfall.share_link (
    share_link_id bigint GENERATED ALWAYS AS IDENTITY, app_id bigint NOT NULL, digest bytea NOT NULL,
    path text NOT NULL, title text NOT NULL, is_rolling boolean NOT NULL, created_by text NOT NULL,
    created_at timestamptz NOT NULL, expires_at timestamptz NOT NULL,
    CONSTRAINT share_link_pkey PRIMARY KEY (app_id, share_link_id),
    CONSTRAINT share_link_digest_key UNIQUE (digest)
);
COMMENT ON TABLE landfall.share_link IS 'Links that show one page of an app to anyone who has them. A row is deleted when the link is revoked.';
COMMENT ON COLUMN landfall.share_link.share_link_id IS 'Identifies the link where its secret must not be shown.';
COMMENT ON COLUMN landfall.share_link.digest IS 'SHA-256 of the secret in the link.';
COMMENT ON COLUMN landfall.share_link.path IS 'The page: path and query string.';
COMMENT ON COLUMN landfall.share_link.title IS 'The heading of the page.';
COMMENT ON COLUMN landfall.share_link.is_rolling IS 'Whether the window of the page moves with time; otherwise it stays as it was when the link was created.';
COMMENT ON COLUMN landfall.share_link.created_by IS 'The name of the person who created it.';
COMMENT ON COLUMN landfall.share_link.created_at IS 'When it was created.';
COMMENT ON COLUMN landfall.share_link.expires_at IS 'From when on it no longer works.';

CREATE TABLE landfall.audit_entry (
    audit_entry_id bigint GENERATED ALWAYS AS IDENTITY, at timestamptz NOT NULL, name text NOT NULL,
    person_id bigint, act text NOT NULL, app text, subject text NOT NULL, address text NOT NULL,
    CONSTRAINT audit_entry_pkey PRIMARY KEY (audit_entry_id)
);
COMMENT ON TABLE landfall.audit_entry IS 'Who did what: one row per act in the console or on the command line. Names are stored as text, so that entries outlive people.';
COMMENT ON COLUMN landfall.audit_entry.audit_entry_id IS 'Identifies the entry; later entries have higher numbers.';
COMMENT ON COLUMN landfall.audit_entry.at IS 'When it was done.';
COMMENT ON COLUMN landfall.audit_entry.name IS 'The name of the person, the name that was entered for a sign-in that failed, or command line.';
COMMENT ON COLUMN landfall.audit_entry.person_id IS 'The person who was signed in; null if none was.';
COMMENT ON COLUMN landfall.audit_entry.act IS 'What was done: sign_in, sign_in_failed, key_created, … New acts may be added.';
COMMENT ON COLUMN landfall.audit_entry.app IS 'The slug of the app; null if the act concerns all apps or none.';
COMMENT ON COLUMN landfall.audit_entry.subject IS 'What it was done to, such as a key by its number; never a secret.';
COMMENT ON COLUMN landfall.audit_entry.address IS 'The address from which it was done; empty for the command line.';
CREATE INDEX audit_entry_app_idx ON landfall.audit_entry (app, audit_entry_id);
CREATE INDEX audit_entry_at_idx ON landfall.audit_entry (at);
-- For sign-ins from a known address: failed attempts, of which attackers can add many, are not in it.
CREATE INDEX audit_entry_sign_in_idx ON landfall.audit_entry (name, address, at) WHERE (act = 'sign_in'::text);
