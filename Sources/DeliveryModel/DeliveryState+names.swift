extension DeliveryState {
    /// The names of its bits, for messages: `attempted`, `rejected_throttled`, `finally_rejected_token_dead`.
    public var names: [String] {
        let bits: [(DeliveryState, String)] = [
            (.attempted, "attempted"), (.accepted, "accepted"), (.canReport, "can_report"),
            (.arrived, "arrived"), (.presented, "presented"), (.clicked, "clicked"),
            (.dismissed, "dismissed"), (.recalled, "recalled"), (.local, "local"),
            (.misdirected, "misdirected"), (.signed, "signed"), (.witnessed, "witnessed"),
        ]
        let rejections = [(false, "rejected_"), (true, "finally_rejected_")].flatMap { isFinal, prefix in
            RejectionClass.allCases.map { (Self.rejected($0, isFinal: isFinal), prefix + $0.rawValue) }
        }
        return (bits + rejections).filter { contains($0.0) }.map(\.1)
    }
}
