-- Makes the database in which the benchmark lets the writer work without HTTP.
CREATE DATABASE landfall_writer TEMPLATE landfall;
