internal import DeliveryModel
public import Documents

extension NotificationStory {
    /// `{"story":"notification",…}`. Stable; members may be added.
    ///
    /// - `app`, `time_zone`, `as_of`.
    /// - `notification`: shaped like one of `pushes` in ``TokenStory/document``; `is_provisional`: no answer has said when it
    ///   was sent.
    /// - `device_id` and `token` it went to, as the token is now, shaped like there; null when not known.
    /// - `measures`: the counters in which it is 1, by the names that reports use; without an answer `unmatched` or `local`.
    /// - `remarks`: sentences about contradictions, and why it counts as it does.
    /// - `transitions`: what its answer did to the token, shaped like there.
    ///
    /// Instants are RFC 3339 in `time_zone`.
    public var document: JSONValue {
        let clock = scope.clock
        return .object(
            scope.heading("notification") + [
                .init("notification", push.document(clock)), .init("is_provisional", .bool(isProvisional)),
                .init("device_id", .optional(deviceID?.text)),
                .init("token", token.map { $0.document(clock) } ?? .null),
                .init("measures", .array(countedAs.map { .string($0) })),
                .init("remarks", .array(remarks.map { .string($0) })),
                .init("transitions", .array(consequences.map { $0.document(clock, names) })),
            ])
    }

    /// The names of the counters in which it is 1.
    public var countedAs: [String] { measures.map(\.rawValue) + unmatchedMeasures.map(\.rawValue) }
}
