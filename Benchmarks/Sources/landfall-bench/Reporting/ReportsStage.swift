/// What the reports took with so many notifications in the window.
struct ReportsStage: Sendable, Encodable {
    struct Measured: Sendable, Encodable {
        let title: String
        let goal: MeasuredReport.Goal
        /// Nil where it could not be measured.
        let milliseconds: Double?
    }

    let rows: Int
    /// Loading, verifying and sketching.
    let preparationSeconds: Double
    /// Sketching alone; nil where the server lacks the extension `hll`.
    let sketchingSeconds: Double?
    /// Milliseconds.
    let plainCount: Double
    /// In the order of ``MeasuredReport/all``.
    let reports: [Measured]
}
