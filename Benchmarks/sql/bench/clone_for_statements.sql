-- Creates the database in which the benchmark runs the writer's statements directly. FILE_COPY, because a
-- copy through the write-ahead log would take as long as writing all rows.
CREATE DATABASE landfall_statements TEMPLATE landfall STRATEGY FILE_COPY;
