public import DeliveryModel

/// A picture of a report's totals.
public enum SheetPicture: Sendable {
    case stages(StagePicture)
    case waterfall(WaterfallPicture)
    /// How long notifications took for one stage.
    case histogram(LatencyStage, LatencyHistogram)
    /// The most important numbers; only on pages.
    case figures([SheetFigure])
    /// Only on pages.
    case bars(SheetBars)
}

/// Stages one below the other, each with a bar, so that the bars can be compared by eye.
public struct StagePicture: Sendable {
    public struct Stage: Sendable {
        public let id: String
        public let name: String
        public let count: Int64
        /// `nil` for a stage without a bar.
        public let ink: Ink?
        /// The stage as a share of another, and that one's id.
        public var share: (proportion: Proportion, of: String)?
        /// Estimated rather than counted.
        public var isEstimate = false
        /// The share is marked with !, and a remark states its caveat.
        public var isDoubtful = false
        /// The id of the share in comparisons.
        public var rate: String?
        /// Whether it is a part of the stage above.
        public var isPart = false

        public init(
            _ id: String, name: String? = nil, _ count: Int64, ink: Ink?,
            share: (proportion: Proportion, of: String)? = nil, rate: String? = nil
        ) {
            (self.id, self.count, self.ink, self.share, self.rate) = (id, count, ink, share, rate)
            self.name = name ?? id.replacing("_", with: " ")
        }
    }

    /// The title on an HTML page; a terminal has no room for it.
    public let title: String
    /// What a page says about all stages.
    public var caption = ""
    /// Whether a page shows them as one picture that narrows.
    public var isFunnel = false
    public let stages: [Stage]
    /// The count of a full bar.
    public let whole: Int64

    /// - Parameter whole: the count of a full bar; if `nil`, that of the largest stage.
    public init(title: String = "", _ stages: [Stage], isFunnel: Bool = false, whole: Int64? = nil) {
        self.title = title
        self.stages = stages
        self.isFunnel = isFunnel
        self.whole = whole ?? stages.map(\.count).max() ?? 0
    }

    /// The displayed name of a stage. Stages that the picture does not have are named by their ids.
    public func name(of id: String) -> String { stages.first { $0.id == id }?.name ?? id }
}

/// A waterfall: a level, then each gain and loss from where the last one ended, then the level that remains.
public struct WaterfallPicture: Sendable {
    public struct Step: Sendable {
        public let id: String
        public let name: String
        /// The size of a level, or the change of a step.
        public let count: Int64
        /// The share of the level above; `nil` if there is none.
        public var share: Double?
        public let ink: Ink
        /// `nil` for a level, which starts at the axis.
        public let from: Int64?
        public let to: Int64
        /// The meaning of a step, for pages.
        public var meaning = ""

        public init(level id: String, name: String? = nil, _ count: Int64, _ ink: Ink, share: Double? = nil) {
            (self.id, self.name, self.count, self.ink, self.share) = (id, name ?? id, count, ink, share)
            (from, to) = (nil, count)
        }

        /// A step from a level, by a negative count if it is a loss.
        public init(
            _ id: String, name: String, _ count: Int64, from level: Int64, _ ink: Ink, share: Double? = nil
        ) {
            (self.id, self.name, self.count, self.ink, self.share) = (id, name, count, ink, share)
            (from, to) = (level, level + count)
        }
    }

    public let steps: [Step]
    /// The value at the left edge: 0, or more if the changes would otherwise be too small to see.
    public let axis: Int64
    public let top: Int64
    /// Whether a terminal indents the names of steps between levels.
    public let indentsSteps: Bool
    /// What a terminal says below it.
    public var note = ""

    /// Steps on an axis from 0 to the highest level, unless another axis is given.
    public init(_ steps: [Step], axis: Int64 = 0, indentsSteps: Bool = true) {
        self.steps = steps
        self.indentsSteps = indentsSteps
        self.axis = axis
        top = steps.map { max($0.from ?? 0, $0.to) }.max() ?? 0
    }
}

/// Bars one below the other, each next to its name and its value.
public struct SheetBars: Sendable {
    public struct Bar: Sendable {
        public let name: String
        public let value: String
        public var detail = ""
        /// As a fraction of a full bar.
        public let length: Double
        public var interval: ClosedRange<Double>?
        public let ink: Ink
    }

    public let title: String
    public let caption: String
    public let headings: (name: String, value: String, detail: String)
    public let bars: [Bar]
}

/// A number, its denominator, its change and its course.
public struct SheetFigure: Sendable {
    /// The column of which it is the total; `nil` if it is of none.
    public let id: String?
    public let name: String
    public let value: SheetValue
    public let form: SheetRemark.Form
    /// The denominator in words, or the meaning.
    public let detail: String
    public let ink: Ink?

    init(
        _ name: String, _ value: SheetValue, _ detail: String, _ ink: Ink? = nil,
        form: SheetRemark.Form = .plain, id: String? = nil
    ) {
        (self.id, self.name, self.value) = (id, name, value)
        (self.form, self.detail, self.ink) = (form, detail, ink)
    }
}
