-- An arrival from a version that nobody knows says nothing of others that nobody knows: these are not capable of reporting.

DELETE FROM landfall.reporting_version WHERE app_version = '';

COMMENT ON TABLE landfall.reporting_version IS 'Known versions of apps whose notification service extension has ever reported an arrival. A version that is not here has probably none.';
COMMENT ON COLUMN landfall.reporting_version.app_version IS 'As in segment; never empty.';
