-- Citus, with the setting database.distribute: a cell's schema is on one of several nodes.

-- name: find_citus
-- Does this database have the extension?
SELECT EXISTS (SELECT FROM pg_catalog.pg_extension WHERE extname = 'citus') AS is_there;

-- name: distribute_schema
-- Makes the schema one that Citus keeps together on one node, and can move to another, unless it is one.
SELECT pg_catalog.citus_schema_distribute('landfall'::regnamespace) IS NULL AS is_done
 WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_dist_schema WHERE schemaid = 'landfall'::regnamespace);

-- name: find_node
-- Which node holds the tables of the schema? No row if the schema is not distributed, or if it is on the
-- coordinator, which is group 0.
SELECT node.nodename::text AS host, node.nodeport::bigint AS port
  FROM pg_catalog.pg_dist_schema AS distributed
  JOIN pg_catalog.pg_dist_partition AS member ON member.colocationid = distributed.colocationid
  JOIN pg_catalog.pg_dist_shard AS shard ON shard.logicalrelid = member.logicalrelid
  JOIN pg_catalog.pg_dist_placement AS placement ON placement.shardid = shard.shardid
  JOIN pg_catalog.pg_dist_node AS node ON node.groupid = placement.groupid
 WHERE distributed.schemaid = to_regnamespace('landfall') AND node.groupid <> 0 AND node.noderole = 'primary'
 LIMIT 1;

-- name: citus_kept_months
-- How much room do the notifications of each month take on the node that holds them, the latest month first?
{{kept_months(citus_total_relation_size)}}

-- name: adopt_node
-- Prepares a session to write on the node that holds the rows, or fails (SQLSTATE LF002).
SELECT landfall.adopt_node() IS NULL AS is_done;

-- name: refuse_node
-- Fails if the schema has moved to another node (SQLSTATE LF002). The last statement of each transaction.
SELECT landfall.refuse_node() IS NULL AS is_done;

-- name: move_schema
-- Moves the schema to another node. $1 host and $2 port, as Citus knows the node
SELECT pg_catalog.citus_schema_move('landfall'::regnamespace, $1::text, $2::bigint::integer) IS NULL AS is_done;
