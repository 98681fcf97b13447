-- Creates the database in which the benchmark runs the writer without HTTP. FILE_COPY, because a copy through
-- the write-ahead log would take as long as writing all rows.
CREATE DATABASE landfall_writer TEMPLATE landfall STRATEGY FILE_COPY;
