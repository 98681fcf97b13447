-- The same as drop_writer_copy.sql, for the copy of clone_for_statements.sql.
DROP DATABASE landfall_statements;
