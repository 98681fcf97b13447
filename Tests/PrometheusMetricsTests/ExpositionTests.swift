import CoreMetrics
import PrometheusMetrics
import Testing

@Suite struct ExpositionTests {
    private let factory = PrometheusMetricsFactory([
        MetricDescription(.counter, "events_total", labels: ["type"], "Events\nposted \\ counted."),
        MetricDescription(.histogram, "size", buckets: [1, 2.5], "Sizes."),
    ])

    @Test("a counter rises and is rendered below its help text and type")
    func counter() {
        let counter = Counter(label: "events_total", dimensions: [("type", "click")], factory: factory)
        counter.increment(by: 3)
        counter.increment(by: -2)
        #expect(
            factory.render() == #"""
                # HELP events_total Events\nposted \\ counted.
                # TYPE events_total counter
                events_total{type="click"} 3

                """#)
    }

    @Test("quotes, backslashes and line ends in a label's value are escaped")
    func escaping() {
        Counter(label: "odd", dimensions: [("text", "a\"b\\c\nd")], factory: factory).increment()
        #expect(factory.render().contains(#"odd{text="a\"b\\c\nd"} 1"#))
    }

    @Test("a histogram accumulates its buckets, bounds included")
    func histogram() {
        let recorder = Recorder(label: "size", aggregate: true, factory: factory)
        for value in [0.5, 1, 2.5, 7] { recorder.record(value) }
        recorder.record(Double.nan)
        #expect(
            factory.render() == """
                # HELP size Sizes.
                # TYPE size histogram
                size_bucket{le="1"} 2
                size_bucket{le="2.5"} 3
                size_bucket{le="+Inf"} 4
                size_sum 11
                size_count 4

                """)
    }

    @Test("a timer is a histogram in seconds")
    func timer() {
        let timer = CoreMetrics.Timer(label: "wait_seconds", factory: factory)
        timer.recordNanoseconds(1_500_000_000)
        let text = factory.render()
        #expect(text.contains("wait_seconds_bucket{le=\"1\"} 0\n"))
        #expect(text.contains("wait_seconds_bucket{le=\"2.5\"} 1\n"))
        #expect(text.contains("wait_seconds_sum 1.5\n"))
    }

    @Test("a meter moves both ways, a recorder that does not aggregate keeps the last value")
    func gauges() {
        let meter = Meter(label: "level", factory: factory)
        meter.set(5)
        meter.increment(by: 2.5)
        meter.decrement(by: 4)
        let recorder = Recorder(label: "last", aggregate: false, factory: factory)
        recorder.record(8)
        recorder.record(-3)
        #expect(factory.render().contains("level 3.5\n"))
        #expect(factory.render().contains("last -3\n"))
    }

    @Test("a floating-point counter loses no fractions")
    func fractions() {
        let counter = FloatingPointCounter(label: "cpu_seconds_total", factory: factory)
        counter.increment(by: 0.25)
        counter.increment(by: 0.25)
        #expect(factory.render().contains("cpu_seconds_total 0.5\n"))
    }

    @Test("names and labels that Prometheus would reject are spelled with underscores")
    func names() {
        Counter(label: "http.server-requests", dimensions: [("le", "x"), ("9 a", "y")], factory: factory)
            .increment()
        #expect(factory.render().contains(#"http_server_requests{_9_a="y",exported_le="x"} 1"#))
    }

    @Test("the order depends on neither the order of creation nor the labels")
    func order() {
        func render(_ types: [String], reversed: Bool) -> String {
            let factory = PrometheusMetricsFactory()
            for type in types {
                let labels = [("type", type), ("code", "1")]
                Counter(label: "b_total", dimensions: reversed ? labels.reversed() : labels, factory: factory)
                    .increment()
            }
            Meter(label: "a", factory: factory).set(1)
            return factory.render()
        }
        let text = render(["x", "y", "z"], reversed: false)
        #expect(text == render(["z", "x", "y"], reversed: true))
        #expect(text.hasPrefix("# HELP a a\n"))
    }
}
