-- What breakdowns need to know about a push's target stands at the token: looking it up in the installation was nearly half of
-- what finding a token cost, for every answer. A registration writes both in one transaction.

ALTER TABLE landfall.token
    ADD COLUMN platform    text NOT NULL DEFAULT '',
    ADD COLUMN app_version text NOT NULL DEFAULT '',
    ADD COLUMN os_version  text NOT NULL DEFAULT '',
    ADD COLUMN language    text NOT NULL DEFAULT '',
    ADD COLUMN permission  text NOT NULL DEFAULT '';
COMMENT ON COLUMN landfall.token.platform IS 'Of its installation, copied by registrations; empty when unknown.';
COMMENT ON COLUMN landfall.token.app_version IS 'Of its installation, copied by registrations; empty when unknown.';
COMMENT ON COLUMN landfall.token.os_version IS 'Of its installation, copied by registrations; empty when unknown.';
COMMENT ON COLUMN landfall.token.language IS 'Of its installation, copied by registrations; empty when unknown.';
COMMENT ON COLUMN landfall.token.permission IS 'Of its installation, copied by registrations; empty when unknown.';

UPDATE landfall.token
SET platform    = installation.platform,
    app_version = installation.app_version,
    os_version  = installation.os_version,
    language    = installation.language,
    permission  = installation.permission
FROM landfall.installation
WHERE installation.installation_id = token.installation_id;
