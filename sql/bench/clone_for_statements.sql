-- Makes the database in which the benchmark drives the writer's statements directly.
CREATE DATABASE landfall_statements TEMPLATE landfall;
