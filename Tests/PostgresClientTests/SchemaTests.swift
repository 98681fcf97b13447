import Foundation
import PostgresClient
import TestDatabase
import Testing

/// The schema that `sql/schema` creates, as PostgreSQL describes it: one line per object in `schema.txt`,
/// with a digest of its definition; for views, a digest of their columns. (How PostgreSQL prints a view's
/// query depends on its version.) Names of another schema are turned back into `landfall` before,
/// and the digest leaves it out, because PostgreSQL prints it only if the search path does not have it.
///
/// `LANDFALL_GOLDEN=write` rewrites the file.
@Suite(.database) struct SchemaTests {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("schema.txt")

    private static let description = """
        WITH object AS (
            SELECT CASE relkind WHEN 'v' THEN 'view' WHEN 'c' THEN 'type' ELSE 'table' END AS kind,
                   relnamespace::regnamespace || '.' || relname AS name,
                   concat_ws(E'\\n',
                       reloptions::text, CASE WHEN relkind = 'p' THEN pg_get_partkeydef(relation.oid) END,
                       (SELECT string_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
                                                    attstorage, coalesce(attstattarget, -1), pg_get_expr(adbin, adrelid),
                                                    col_description(attrelid, attnum)), E'\\n' ORDER BY attnum)
                          FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
                         WHERE attrelid = relation.oid AND attnum > 0 AND NOT attisdropped),
                       (SELECT string_agg(conname || ' ' || pg_get_constraintdef(constrained.oid), E'\\n' ORDER BY conname)
                          FROM pg_constraint AS constrained WHERE conrelid = relation.oid),
                       (SELECT string_agg(pg_get_indexdef(indexrelid), E'\\n' ORDER BY indexrelid::regclass::text)
                          FROM pg_index WHERE indrelid = relation.oid),
                       obj_description(relation.oid, 'pg_class')) AS definition
              FROM pg_class AS relation
             WHERE relkind IN ('r', 'p', 'v', 'c') AND NOT relispartition
               AND relnamespace IN ('landfall'::regnamespace, 'report_v1'::regnamespace)
            UNION ALL
            SELECT 'function', pronamespace::regnamespace || '.' || proname,
                   concat_ws(E'\\n', pg_get_function_arguments(oid), pg_get_function_result(oid), prosrc,
                             pg_get_function_sqlbody(oid), provolatile, proparallel, prosecdef, proconfig::text,
                             obj_description(oid, 'pg_proc'))
              FROM pg_proc
             WHERE pronamespace IN ('landfall'::regnamespace, 'report_v1'::regnamespace)
            UNION ALL
            SELECT 'rows of', 'landfall.provider_reason', string_agg(listed::text, E'\\n' ORDER BY provider, status, reason)
              FROM landfall.provider_reason AS listed
        )
        SELECT format('%s %s %s', kind, named[1], left(md5(replace(named[2], 'land' || 'fall.', '')), 12))
          FROM object
         CROSS JOIN LATERAL (
             SELECT array_agg(replace(replace(replace(line, $2, 'report_' || 'v1'), $1 || '.', 'land' || 'fall.'),
                                      quote_literal($1), quote_literal('land' || 'fall')) ORDER BY number)
               FROM unnest(ARRAY[name, definition]) WITH ORDINALITY AS described (line, number)) AS back (named)
         ORDER BY kind, name
        """

    @Test("the schema matches schema.txt, object by object")
    func objects() async throws {
        let schema = TestDatabase.schema
        let objects = try await TestDatabase.current.query(
            Self.description, [.value(schema.text), .value(schema.reports)]
        ) { try $0.get(0, as: String.self) }
        if ProcessInfo.processInfo.environment["LANDFALL_GOLDEN"] == "write" {
            try Data((objects.joined(separator: "\n") + "\n").utf8).write(to: Self.file)
        }
        let known = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n").map(String.init)
        let (new, gone) = (objects.filter { !known.contains($0) }, known.filter { !objects.contains($0) })
        #expect(new == [] && gone == [], "LANDFALL_GOLDEN=write accepts the change")
    }

    @Test("every table, column and function has a comment")
    func comments() async throws {
        let silent = try await TestDatabase.current.query(
            """
            SELECT relname || '.' || attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
             WHERE relnamespace = 'landfall'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
               AND attnum > 0 AND NOT attisdropped AND col_description(attrelid, attnum) IS NULL
            UNION ALL
            SELECT relname FROM pg_class
             WHERE relnamespace = 'landfall'::regnamespace AND relkind IN ('r', 'p', 'v') AND NOT relispartition
               AND obj_description(oid, 'pg_class') IS NULL
            UNION ALL
            SELECT proname FROM pg_proc
             WHERE pronamespace = 'landfall'::regnamespace AND obj_description(oid, 'pg_proc') IS NULL
            """
        ) { try $0.get(0, as: String.self) }
        #expect(silent == [])
    }
}
