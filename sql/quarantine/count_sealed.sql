-- How many items, of all apps, are in quarantine?
SELECT count(*) AS item_count FROM landfall.quarantined_item;
