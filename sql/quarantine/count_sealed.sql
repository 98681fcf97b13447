-- How many items do the quarantines of all apps hold?
SELECT count(*) AS item_count FROM landfall.quarantined_item;
