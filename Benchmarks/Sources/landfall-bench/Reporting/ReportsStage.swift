/// The times of the reports with this many notifications in the window.
struct ReportsStage: Sendable, Encodable {
    struct Measured: Sendable, Encodable {
        let title: String
        let goal: MeasuredReport.Goal
        /// `nil` if it could not be measured.
        let milliseconds: Double?
    }

    let rows: Int
    /// The time to load, verify and sketch.
    let preparationSeconds: Double
    /// The time to sketch; `nil` if the server lacks the extension `hll`.
    let sketchingSeconds: Double?
    /// In milliseconds.
    let plainCount: Double
    /// In the order of ``MeasuredReport/all``.
    let reports: [Measured]
}
