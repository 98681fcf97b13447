import CoreMetrics
import PrometheusMetrics
import Testing

@Suite struct SeriesTests {
    @Test("two instruments with the same name and labels are one series, whatever the order of the labels")
    func sameSeries() {
        let factory = PrometheusMetricsFactory()
        Counter(label: "n_total", dimensions: [("a", "1"), ("b", "2")], factory: factory).increment()
        Counter(label: "n_total", dimensions: [("b", "2"), ("a", "1")], factory: factory).increment()
        #expect(factory.render().contains("n_total{a=\"1\",b=\"2\"} 2\n"))
    }

    @Test("label values beyond the limit are summed under 'other'")
    func bounded() {
        let factory = PrometheusMetricsFactory(seriesLimit: 2)
        for number in 1...50 {
            Counter(label: "n_total", dimensions: [("id", "\(number)")], factory: factory).increment()
        }
        let lines = factory.render().split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(lines == ["n_total{id=\"1\"} 1", "n_total{id=\"2\"} 1", "n_total{id=\"other\"} 48"])
    }

    @Test("a name is exposed as one kind only: the first")
    func kinds() {
        let factory = PrometheusMetricsFactory()
        Counter(label: "n", factory: factory).increment()
        Meter(label: "n", factory: factory).set(7)
        #expect(factory.render() == "# HELP n n\n# TYPE n counter\nn 1\n")
    }

    @Test("a destroyed instrument is no longer rendered")
    func destroyed() {
        let factory = PrometheusMetricsFactory()
        let counter = Counter(label: "n_total", factory: factory)
        counter.increment()
        #expect(!factory.render().isEmpty)
        counter.destroy()
        #expect(factory.render().isEmpty)
    }

    @Test("nothing is lost when many tasks count concurrently")
    func concurrency() async {
        let factory = PrometheusMetricsFactory()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let counter = Counter(label: "n_total", factory: factory)
                    let timer = CoreMetrics.Timer(label: "t_seconds", factory: factory)
                    for _ in 0..<1_000 {
                        counter.increment()
                        timer.recordNanoseconds(1)
                    }
                }
            }
        }
        #expect(factory.render().contains("n_total 8000\n"))
        #expect(factory.render().contains("t_seconds_count 8000\n"))
    }
}
