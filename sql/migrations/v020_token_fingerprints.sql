-- Every answer looks its token up by the fingerprint. The way through the primary key compares 32 bytes and four more columns on each
-- of its levels; a hash index leads to the row in one step. It serves lookups only: the primary key goes on keeping tokens apart.

CREATE INDEX token_fingerprint_idx ON landfall.token USING hash (fingerprint);
COMMENT ON INDEX landfall.token_fingerprint_idx IS 'Finds the tokens that answers and registrations name, whatever their topic.';
