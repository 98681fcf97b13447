internal import Instants
internal import Synchronization

/// Caches the rejections of peer groups for some seconds. If a whole app version is rejected, every batch needs them.
final class RecentPeerCounts: Sendable {
    private struct Known {
        let counts: PeerCounts
        let at: Instant
    }

    private static let lifetime = Span.seconds(10)
    private let known = Mutex<[PeerGroup: Known]>([:])

    func counts(of groups: [PeerGroup], now: Instant) -> [PeerGroup: PeerCounts] {
        known.withLock { known in
            known = known.filter { now - $0.value.at < Self.lifetime }
            return groups.reduce(into: [:]) { $0[$1] = known[$1]?.counts }
        }
    }

    func remember(_ counts: [PeerGroup: PeerCounts], now: Instant) {
        known.withLock { known in
            known.merge(counts.mapValues { Known(counts: $0, at: now) }) { _, new in new }
        }
    }
}
