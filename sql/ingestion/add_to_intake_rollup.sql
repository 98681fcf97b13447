-- Placeholder of the colleague's statement: counts what came in.
-- $1 app_id[], $2 now[], $3 slot, $4 received[], $5 accepted[], $6 duplicates[], $7 rejected[]; sorted by app.
INSERT INTO landfall.intake_rollup AS known (app_id, hour, slot, received, accepted, duplicates, rejected)
SELECT app_id, date_bin('1 hour', at, '2000-01-01 00:00:00+00'), $3, received, accepted, duplicates, rejected
FROM unnest($1::bigint[], $2::timestamptz[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
     AS change (app_id, at, received, accepted, duplicates, rejected)
ON CONFLICT (app_id, hour, slot) DO UPDATE SET
    received   = known.received + excluded.received,
    accepted   = known.accepted + excluded.accepted,
    duplicates = known.duplicates + excluded.duplicates,
    rejected   = known.rejected + excluded.rejected;
