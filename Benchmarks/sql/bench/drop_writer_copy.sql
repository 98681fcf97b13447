-- Drops a copy after its use, so that later measurements do not share the machine with processes that clean
-- up in it.
DROP DATABASE landfall_writer;
