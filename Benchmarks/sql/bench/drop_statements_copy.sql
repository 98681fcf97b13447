-- As drop_writer_copy.sql, for the copy of the bare statements.
DROP DATABASE landfall_statements;
