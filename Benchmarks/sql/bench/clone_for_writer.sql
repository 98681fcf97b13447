-- Makes the database in which the benchmark lets the writer work without HTTP. As files: through the log it would take as
-- long as all rows together did.
CREATE DATABASE landfall_writer TEMPLATE landfall STRATEGY FILE_COPY;
