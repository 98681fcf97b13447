-- Makes the database in which the benchmark drives the writer's statements directly. As files: through the log it would
-- take as long as all rows together did.
CREATE DATABASE landfall_statements TEMPLATE landfall STRATEGY FILE_COPY;
