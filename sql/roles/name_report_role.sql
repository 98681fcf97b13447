-- Names the role for report_reader.sql, until the transaction ends.
-- $1 the name of the role
SELECT set_config('landfall.report_role', $1, true);
