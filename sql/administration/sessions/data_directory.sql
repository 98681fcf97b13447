-- Where are PostgreSQL's own files? Only its owner may ask.
SELECT current_setting('data_directory') AS data_directory;
