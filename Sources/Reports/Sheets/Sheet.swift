public import DeliveryModel

/// A report as typed columns. Every format is a rendering of it, and none knows which report it is: columns
/// are found by their ids, never by the words that people read.
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
    /// The first members of the document; `nil` for those of the frame.
    var frameMembers: [JSONValue.Member]?
    /// Members of the document that precede the rows.
    var precedingMembers: [JSONValue.Member] = []
    /// The name of the rows in the document.
    var rowsMember = "rows"
    /// Members of the document that follow the counts of unmatched notifications.
    var followingMembers: [JSONValue.Member] = []
    /// Whether CSV contains the comparison, whose rows must then be those of the sheet.
    public var isComparedInCSV = true
    /// Whether CSV has only rows, even without a breakdown.
    public var hasOnlyRows = false
    /// Whether each line of CSV ends with the fields of the frame.
    public var isFramedInCSV: Bool { frameMembers == nil }

    // MARK: - For people

    /// The result in one sentence.
    public var headline = ""
    /// The facts without which figures mean nothing; `nil` for the frame's. Arrows and `≥` may become ASCII.
    public var facts: [(name: String, text: String)]?
    /// The facts of a page, if they differ.
    public var pageFacts: [(name: String, text: String)]?
    /// The precision of the counts.
    public var precision = "exact"
    /// The note on rates or times; `nil` for the usual one on rates.
    public var ratesNote: (name: String, text: String)?
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
    /// The title of the table on a page.
    public var tableTitle = ""
    /// Whether a page folds the table, because a picture shows the same numbers.
    public var isTableFolded = false
    /// Sheets whose tables follow.
    public var lists: [Sheet] = []
    /// The sentence that replaces a table without rows. Without it, a terminal shows a first table's totals.
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
    /// A sentence at the end.
    public var note = ""
    public var isNoteOnPage = true

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

    /// A sheet that is not about the notifications of a window. It has its own members and facts, and the
    /// keys of its rows are columns, unless the rows are periods.
    init<Subject>(
        _ title: String, of app: App, in window: Range<Instant>? = nil, _ timeZone: ReportTimeZone = .utc,
        by period: Dimension? = nil, asOf: Instant, members: KeyValuePairs<String, JSONValue>,
        facts: [(name: String, text: String)], _ fields: [SheetField<Subject>],
        rows: [Subject], periods: [String?] = [], totals: Subject
    ) {
        let query = ReportQuery(app: app, exactly: window ?? asOf..<asOf, timeZone: timeZone, by: period)
        let frame = ReportFrame(report: title, query: query, unit: .tokens, asOf: asOf)
        let keyed = rows.enumerated().map { position, row in
            (key: RowKey(period.map { [RowKey.Part($0, periods[position])] } ?? []), subject: row)
        }
        self.init(title, frame, fields, rows: keyed, totals: totals)
        keys = []
        frameMembers = members.map { JSONValue.Member($0.key, $0.value) }
        self.facts = facts
        hasOnlyRows = true
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

/// A column of the table that people read. The literal is its id.
public enum SheetTableColumn: ExpressibleByStringLiteral, Sendable {
    /// A part of the rows' key.
    case key(Dimension, title: String? = nil, isName: Bool? = nil)
    case column(String)
    case bar(SheetBar)

    public init(stringLiteral id: String) { self = .column(id) }
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
    /// The colors of rows by their words in another column.
    public let inks: (column: String, words: [String: Ink])?
    /// In columns of a terminal.
    public let width: Int
    /// The word in the totals, which have no bar.
    public var total: String

    /// - Parameter scale: `nil` for the largest value of the column itself.
    public init(
        _ title: String, _ id: String, _ ink: Ink, scale: Scale? = nil,
        inks: (column: String, words: [String: Ink])? = nil, width: Int = 12, total: String = ""
    ) {
        (self.title, self.id, self.scale, self.ink) = (title, id, scale ?? .largest(id), ink)
        (self.inks, self.width, self.total) = (inks, width, total)
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
    /// Precedes the meaning.
    public let share: Proportion?
    public let meaning: String
    /// Whether a page shows it, too: its pictures say some of this.
    public var isOnPage = true

    public init(
        _ name: String, _ value: SheetValue, share: Proportion? = nil, _ meaning: String, form: Form = .full,
        id: String? = nil, isOnPage: Bool = true
    ) {
        (self.name, self.value, self.form, self.share, self.meaning) = (name, value, form, share, meaning)
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
    /// In it and in the caption, `{period}` stands for hour, day, week or month.
    public var title = "By {period} of sending"
    /// What the lines show. `nil` if there are no lines, and numbers have only a small course next to them.
    public let caption: String?
    /// Whether rows of other dimensions can be added up.
    public let addsUp: Bool
}
