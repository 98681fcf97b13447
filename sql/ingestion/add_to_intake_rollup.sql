-- Adds the verdicts on a batch's items.
-- $1 app_id[], $2 hour, $3 shard, $4 received[], $5 accepted[], $6 duplicates[], $7 rejected[]; sorted by app_id.
INSERT INTO landfall.intake_rollup AS known (app_id, hour, shard, received, accepted, duplicates, rejected)
SELECT app_id, $2, $3, received, accepted, duplicates, rejected
FROM unnest($1::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
     AS item (app_id, received, accepted, duplicates, rejected)
ON CONFLICT (app_id, hour, shard) DO UPDATE SET
    received   = known.received + excluded.received,
    accepted   = known.accepted + excluded.accepted,
    duplicates = known.duplicates + excluded.duplicates,
    rejected   = known.rejected + excluded.rejected;
