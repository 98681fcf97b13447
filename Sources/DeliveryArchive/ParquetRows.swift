internal import DeliveryModel

/// A Parquet file, as DuckDB, Spark and Athena read it.
///
/// Sources: README.md, Encodings.md, LogicalTypes.md and src/main/thrift/parquet.thrift of
/// apache/parquet-format; all numbers below are from there. The file is
///
///     PAR1 | row group, row group, … | footer: FileMetaData | its length, 4 bytes | PAR1
///
/// A row group has the values of some rows, one column after the other. Here, a column is one data page of
/// version 1: a PageHeader, and the page packed with gzip. All columns are optional, so a page has levels,
/// and then the values that are there, in the encoding PLAIN:
///
/// - A level is 1 if the row has a value, otherwise 0. Levels are 4 bytes with their length, and runs: a
///   varint, twice the number of equal levels, and one byte with the level.
/// - Integers and lengths are little endian; a text follows its length in 4 bytes; flags are bits, the lowest
///   first.
struct ParquetRows: RowEncoder {
    /// These rows are in memory, twice.
    static let rowsPerGroup = 100_000
    private static let magic = Array("PAR1".utf8)

    private let columns: [ArchivedColumn]
    private var pages: [Page]
    private var groups: [Thrift] = []
    private var (groupRows, allRows, offset) = (0, 0, 0)

    init(_ columns: [ArchivedColumn]) {
        self.columns = columns
        pages = columns.map { _ in Page() }
    }

    mutating func append(_ row: [ArchivedValue?]) throws(ArchiveError) -> [UInt8] {
        for (position, value) in row.enumerated() { pages[position].append(value) }
        groupRows += 1
        return groupRows == Self.rowsPerGroup ? try endGroup() : []
    }

    mutating func finish() throws(ArchiveError) -> [UInt8] {
        var bytes = try endGroup()
        let root = Thrift.record([(4, .text("notification")), (5, .int32(columns.count))])
        let schema = [root] + columns.map(\.schemaElement)
        let footer = Thrift.record([
            (1, .int32(1)), (2, .list(schema)), (3, .int64(allRows)), (4, .list(groups)),
            (6, .text("landfall version \(LandfallVersion.current)")),
        ]).bytes
        bytes += footer
        bytes.appendLittleEndian(UInt32(footer.count))
        return bytes + Self.magic
    }

    /// RowGroup: its ColumnChunks, bytes and rows.
    private mutating func endGroup() throws(ArchiveError) -> [UInt8] {
        var bytes = offset == 0 ? Self.magic : []
        guard groupRows > 0 else { return bytes }
        var (chunks, size): ([Thrift], Int) = ([], 0)
        for (position, column) in columns.enumerated() {
            let page = pages[position].end()
            let packed = try Gzip.packed(page)
            // A data page (0); DataPageHeader: values in PLAIN (0), both kinds of levels in RLE (3).
            let header = Thrift.record([
                (1, .int32(0)), (2, .int32(page.count)), (3, .int32(packed.count)),
                (5, .record([(1, .int32(groupRows)), (2, .int32(0)), (3, .int32(3)), (4, .int32(3))])),
            ]).bytes
            // ColumnMetaData: encodings RLE and PLAIN, codec GZIP (2), bytes before and after packing.
            let metadata = Thrift.record([
                (1, .int32(column.kind.parquetType)), (2, .list([.int32(3), .int32(0)])),
                (3, .list([.text(column.name)])), (4, .int32(2)), (5, .int64(groupRows)),
                (6, .int64(header.count + page.count)), (7, .int64(header.count + packed.count)),
                (9, .int64(offset + bytes.count)),
            ])
            chunks.append(Thrift.record([(2, .int64(0)), (3, metadata)]))
            bytes += header + packed
            size += header.count + page.count
        }
        groups.append(Thrift.record([(1, .list(chunks)), (2, .int64(size)), (3, .int64(groupRows))]))
        (offset, allRows, groupRows) = (offset + bytes.count, allRows + groupRows, 0)
        pages = columns.map { _ in Page() }
        return bytes
    }

    /// The values of one column in the current row group.
    private struct Page {
        private var values: [UInt8] = []
        private var levels: [UInt8] = []
        private var (isPresent, run, flags) = (true, 0, 0)

        mutating func append(_ value: ArchivedValue?) {
            if isPresent != (value != nil) { endRun() }
            (isPresent, run) = (value != nil, run + 1)
            switch value {
            case nil: break
            case .integer(let number): values.appendLittleEndian(number)
            case .instant(let instant): values.appendLittleEndian(instant.millisecondsSinceEpoch)
            case .text(let text):
                values.appendLittleEndian(UInt32(text.utf8.count))
                values.append(contentsOf: text.utf8)
            case .flag(let flag):
                if flags % 8 == 0 { values.append(0) }
                if flag { values[values.count - 1] |= 1 << (flags % 8) }
                flags += 1
            }
        }

        private mutating func endRun() {
            guard run > 0 else { return }
            levels += [UInt8].varint(UInt64(run) << 1)
            levels.append(isPresent ? 1 : 0)
            run = 0
        }

        mutating func end() -> [UInt8] {
            endRun()
            var bytes: [UInt8] = []
            bytes.appendLittleEndian(UInt32(levels.count))
            return bytes + levels + values
        }
    }
}

extension ArchivedColumn.Kind {
    /// BOOLEAN 0, INT64 2, BYTE_ARRAY 6.
    fileprivate var parquetType: Int {
        switch self {
        case .flag: 0
        case .integer, .instant: 2
        case .text: 6
        }
    }
}

extension ArchivedColumn {
    /// SchemaElement: type, OPTIONAL (1), name, the converted type for older readers (UTF8 0,
    /// TIMESTAMP_MILLIS 9), the logical type (STRING 1; TIMESTAMP 8: in UTC, in the unit MILLIS 1).
    fileprivate var schemaElement: Thrift {
        let nothing = Thrift.record([])
        var fields: [Thrift.Field] = [
            (1, .int32(kind.parquetType)), (3, .int32(1)), (4, .text(name)),
        ]
        switch kind {
        case .integer, .flag: break
        case .text:
            fields.append((6, .int32(0)))
            fields.append((10, Thrift.record([(1, nothing)])))
        case .instant:
            let timestamp = Thrift.record([(1, .yes), (2, Thrift.record([(1, nothing)]))])
            fields.append((6, .int32(9)))
            fields.append((10, Thrift.record([(8, timestamp)])))
        }
        return .record(fields)
    }
}
