-- Does this server keep what it committed when the machine crashes? SHOW of three settings, as one row of text.
SELECT current_setting('fsync')              AS fsync,
       current_setting('full_page_writes')   AS full_page_writes,
       current_setting('synchronous_commit') AS synchronous_commit;
