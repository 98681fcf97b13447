package import Reports

/// A question to the counters whose report can be rendered: `Funnel`, `Clicks`.
package protocol RenderableQuestion: CounterQuestion {
    static func htmlPage(of report: CounterReport<Self>) -> HTMLPage
    static func lines(of report: CounterReport<Self>, _ style: OutputStyle) -> [String]
}

extension CounterReport: RenderableReport where Question: RenderableQuestion {
    package var htmlPage: HTMLPage { Question.htmlPage(of: self) }

    package func lines(_ style: OutputStyle) -> [String] { Question.lines(of: self, style) }
}
