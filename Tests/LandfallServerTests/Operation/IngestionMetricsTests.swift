import DeliveryModel
import Foundation
import Ingestion
import PrometheusMetrics
import Synchronization
import Testing

@testable import LandfallServer

@Suite struct IngestionMetricsTests {
    private let factory = PrometheusMetricsFactory()
    private let items = [
        BatchItem(
            appID: 1, text: [1, 2, 3],
            content: .success(Event(notificationID: UUID(), sentAt: nil, content: .recall))),
        BatchItem(appID: 1, text: [4], content: .failure(ItemRejection(.tooOld, ""))),
    ]

    private var lines: [String] { factory.render().split(separator: "\n").map(String.init) }

    @Test("items that are being recorded, and their bytes, count as queued")
    func queued() {
        let metrics = IngestionMetrics(factory)
        let told = Mutex(0)
        metrics.counting(
            items,
            { _, written in
                #expect(lines.contains("landfall_queue_events 2"))
                #expect(lines.contains("landfall_queue_bytes 4"))
                written(.success([.duplicate, .rejected(ItemRejection(.tooOld, ""))]))
            }, then: { _ in told.withLock { $0 += 1 } })
        #expect(told.withLock { $0 } == 1)
        #expect(lines.contains("landfall_queue_events 0"))
        #expect(lines.contains("landfall_queue_bytes 0"))
        #expect(lines.contains(#"landfall_events_total{type="recall",verdict="duplicate"} 1"#))
        #expect(lines.contains(#"landfall_events_total{type="unknown",verdict="rejected"} 1"#))
        #expect(lines.contains(#"landfall_events_rejected_total{code="too_old"} 1"#))
    }

    @Test("items that a full queue rejects get no verdict, and do not count as received")
    func overloaded() {
        let metrics = IngestionMetrics(factory)
        metrics.counting(
            items, { _, written in written(.failure(EventBatcherError.overloaded)) },
            then: { result in #expect(throws: EventBatcherError.self) { _ = try result.get() } })
        #expect(lines.contains("landfall_events_received_total 0"))
        #expect(lines.contains("landfall_overloaded_total 1"))
        #expect(lines.contains("landfall_queue_events 0"))
        #expect(lines.filter { $0.hasPrefix("landfall_events_total{") }.allSatisfy { $0.hasSuffix(" 0") })
    }

    @Test("an item that the database rejected keeps its type")
    func rejectedByDatabase() {
        IngestionMetrics(factory).count([items[0]], [.rejected(ItemRejection(.invalidField, ""))])
        #expect(lines.contains(#"landfall_events_total{type="recall",verdict="rejected"} 1"#))
    }
}
