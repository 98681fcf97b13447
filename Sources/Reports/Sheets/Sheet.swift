internal import Documents

/// A report as typed columns. Every format is a rendering of it, and none knows which report it is: columns are found by their
/// ids, never by the words that people read.
public struct Sheet: Sendable {
    public struct Row: Sendable {
        public let key: RowKey
        /// One for each column.
        public let values: [SheetValue]
    }

    // MARK: - For every format

    public var title: String
    public var frame: ReportFrame
    /// The dimensions of the rows' keys.
    public var keys: [Dimension]
    /// In the order of JSON and CSV.
    public var columns: [SheetColumn]
    public var rows: [Row]
    public var totals: [SheetValue]
    /// The values of a row that does not exist, for comparisons.
    public let nothing: [SheetValue]
    public var isEmpty = false
    public var unmatched: UnmatchedCounts?
    public var completeness: Completeness?
    public var variants: [VariantComparison] = []
    public var comparison: ReportComparison?
    /// Members of the document that precede the rows.
    var precedingMembers: [JSONValue.Member] = []
    /// Members of the document that follow the counts of unmatched notifications.
    var followingMembers: [JSONValue.Member] = []
    /// Whether CSV contains the comparison, whose rows must then be those of the sheet.
    public var isComparedInCSV = true
    /// Whether CSV has only rows, even without a breakdown.
    public var hasOnlyRows = false

    // MARK: - For people

    /// The result in one sentence.
    public var headline = ""
    /// The precision of the counts.
    public var precision = "exact"
    /// Whether counts are rounded, so that few of them have rates.
    public var isRounded = false
    /// The note on figures that are times; `nil` for the usual note on rates.
    public var timesNote: String?
    public var pictures: [SheetPicture] = []
    public var remarks: [SheetRemark] = []
    /// The least width of the names of remarks on a terminal.
    public var remarkWidth = 0
    /// The columns of the table in groups that stay together. The first group is the key.
    public var table: [[SheetTableColumn]]
    /// The columns that the table's totals leave out.
    public var blankTotals: Set<String> = []
    public var hasTableTotals = true
    /// Whether a terminal shows the table before the remarks.
    public var isTableFirst = false
    /// The sentence that replaces a table without rows.
    public var emptyTable: String?
    /// The counts that a terminal shows over time.
    public var trends: [String] = []
    /// What a page shows over time; `nil` if nothing.
    public var course: SheetCourse?
    /// The counts whose changes are shown row by row. Rates always are.
    public var comparedInRows: Set<String> = []
    /// What to do about the rows.
    public var advice: [(names: [String], text: String)] = []
    /// The metrics that a page explains.
    public var terms: [String] = []

    init<Subject>(
        _ title: String, _ frame: ReportFrame, _ fields: [SheetField<Subject>],
        rows: [(key: RowKey, subject: Subject)], totals: Subject, nothing: Subject? = nil
    ) {
        self.title = title
        self.frame = frame
        keys = frame.query.by
        columns = fields.map(\.column)
        self.rows = rows.map { row in Row(key: row.key, values: fields.map { $0.value(row.subject) }) }
        self.totals = fields.map { $0.value(totals) }
        self.nothing =
            nothing.map { nothing in fields.map { $0.value(nothing) } } ?? self.totals.map(\.ofNothing)
        table = [frame.query.by.map { .key($0) }]
    }

    /// The position of a column that people see.
    public func position(of id: String) -> Int? { columns.lastIndex { $0.id == id } }

    public func column(_ id: String) -> SheetColumn? { position(of: id).map { columns[$0] } }

    /// Removes columns from every format.
    mutating func leaveOut(_ ids: Set<String>) {
        for position in columns.indices where ids.contains(columns[position].id) {
            columns[position].places = .nowhere
        }
    }

    public func total(_ id: String) -> SheetValue { position(of: id).map { totals[$0] } ?? .none }
}

/// A column of the table that people read.
public enum SheetTableColumn: Sendable {
    /// A part of the rows' key.
    case key(Dimension, title: String? = nil, isName: Bool? = nil)
    case column(String)
    case bar(SheetBar)
}

/// A column of bars next to the numbers that they draw.
public struct SheetBar: Sendable {
    public enum Scale: Sendable {
        /// The largest value of a column.
        case largest(String)
        /// The value of another column in the same row.
        case column(String)
        /// All of a rate.
        case one
    }

    /// The meaning of a full bar.
    public let title: String
    /// The column that is drawn.
    public let id: String
    public let scale: Scale
    public let ink: Ink
    /// The word in the totals, which have no bar.
    public var total = ""

    public init(_ title: String, _ id: String, _ scale: Scale, _ ink: Ink, total: String = "") {
        (self.title, self.id, self.scale, self.ink, self.total) = (title, id, scale, ink, total)
    }
}

/// A line next to the numbers of a report: a name, a value, and its meaning.
public struct SheetRemark: Sendable {
    public enum Form: Sendable {
        /// A rate with its interval.
        case full
        case plain
        /// A rate as a lower bound, without its interval.
        case atLeast
    }

    /// The metric that explains the name.
    public let id: String?
    public let name: String
    public let value: SheetValue
    public var form = Form.full
    public let meaning: String
    /// Whether a page shows it, too: its pictures say some of this.
    public var isOnPage = true

    public init(
        _ name: String, _ value: SheetValue, _ meaning: String, form: Form = .full, id: String? = nil,
        isOnPage: Bool = true
    ) {
        (self.name, self.value, self.form, self.meaning) = (name, value, form, meaning)
        self.id = id ?? name.replacing("-", with: "_").replacing(" ", with: "_")
        self.isOnPage = isOnPage
    }
}

/// What a page draws over time if the rows are periods.
public struct SheetCourse: Sendable {
    /// Ids of counts. Each is a part of the one before it.
    public let series: [String]
    /// The id of a rate with a chart of its own.
    public var rate: String?
    /// What the lines show; `{period}` stands for hour, day, week or month. `nil` if there are no lines, and numbers have only a
    /// small course next to them.
    public let caption: String?
    /// Whether rows of other dimensions can be added up.
    public let addsUp: Bool

    public init(series: [String], rate: String? = nil, caption: String?, addsUp: Bool) {
        (self.series, self.rate, self.caption, self.addsUp) = (series, rate, caption, addsUp)
    }
}
