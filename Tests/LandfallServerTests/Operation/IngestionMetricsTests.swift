import DeliveryModel
import Foundation
import Ingestion
import PrometheusMetrics
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

    @Test("while they are being recorded, items and their bytes are queued")
    func queued() async throws {
        let metrics = IngestionMetrics(factory)
        _ = try await metrics.counting(items) { _ in
            #expect(lines.contains("landfall_queue_events 2"))
            #expect(lines.contains("landfall_queue_bytes 4"))
            return [.duplicate, .rejected(ItemRejection(.tooOld, ""))]
        }
        #expect(lines.contains("landfall_queue_events 0"))
        #expect(lines.contains("landfall_queue_bytes 0"))
        #expect(lines.contains(#"landfall_events_total{type="recall",verdict="duplicate"} 1"#))
        #expect(lines.contains(#"landfall_events_total{type="unknown",verdict="rejected"} 1"#))
        #expect(lines.contains(#"landfall_events_rejected_total{code="too_old"} 1"#))
    }

    @Test("items that a full queue refuses get no verdict, and are not received")
    func overloaded() async {
        let metrics = IngestionMetrics(factory)
        await #expect(throws: EventBatcherError.self) {
            _ = try await metrics.counting(items) { _ in throw EventBatcherError.overloaded }
        }
        #expect(lines.contains("landfall_events_received_total 0"))
        #expect(lines.contains("landfall_overloaded_total 1"))
        #expect(lines.contains("landfall_queue_events 0"))
        #expect(lines.filter { $0.hasPrefix("landfall_events_total{") }.allSatisfy { $0.hasSuffix(" 0") })
    }

    @Test("an item that the database refused keeps its type")
    func refusedByDatabase() {
        IngestionMetrics(factory).count([items[0]], [.rejected(ItemRejection(.invalidField, ""))])
        #expect(lines.contains(#"landfall_events_total{type="recall",verdict="rejected"} 1"#))
    }
}
