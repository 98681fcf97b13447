internal import DeliveryModel

extension NotificationStory {
    /// What is worth knowing beside the plain facts: why it counts as it does, and what contradicts what.
    public var remarks: [String] {
        [unmatched, date, rejections, contradiction, silence, clocks].compactMap(\.self)
    }

    private var state: DeliveryState { push.state }
    private func counts(_ measure: Measure) -> Bool { measure.value(of: state) == 1 }

    private var unmatched: String? {
        guard !state.contains(.attempted) else { return nil }
        if state.contains(.local) {
            return
                "The app showed it by itself, so no provider will answer for it. It counts as local, in no campaign."
        }
        return
            "No provider's answer is on record, so it counts as unmatched, in no campaign. Either the sender has not posted the "
            + "answer, or it posted it under another id, or the answer was rejected: landfall quarantine list. When it comes, "
            + "everything on record counts at once."
    }

    private var date: String? {
        isProvisional
            ? "Its id does not say when it was sent, and no answer has: the date is that of its first event, and moves when the "
                + "answer comes." : nil
    }

    private var rejections: String? {
        let classes = push.rejectionClasses.map(\.rawValue).joined(separator: ", ")
        if state.contains(.accepted) {
            return classes.isEmpty
                ? nil
                : "It was also refused (\(classes)), as happens to a push that is tried again. Acceptance counts."
        }
        return counts(.conflicting)
            ? "It was refused for more than one class of reason (\(classes)). The first of these is the most final one, and counts."
            : nil
    }

    private var contradiction: String? {
        counts(.contradicted)
            ? "The device had it although no acceptance is on record: an answer was lost, or another sender pushed it."
            : nil
    }

    private var silence: String? {
        if counts(.confirmedUnreported) {
            return "The device certainly had it, but the extension's report is missing: a lost receipt."
        }
        if counts(.unconfirmedNotReportable) {
            return
                "No notification service extension could report it (push type \(push.answer?.pushType ?? "unknown"), or no "
                + "mutable-content), so that nothing came says nothing."
        }
        if counts(.unconfirmedRecalled) {
            return "The sender withdrew it before anything came from the device."
        }
        guard counts(.reportable), !counts(.confirmed) else { return nil }
        let replaced =
            push.collapseID == nil ? "" : ", or a later push with the same collapse id took its place"
        return
            "Accepted, and nothing came from the device: it was off, the report was lost\(replaced), or the token is dead and "
            + "the provider does not say so yet."
    }

    private var clocks: String? {
        push.reports.contains { ($0.after?.milliseconds ?? 0) < 0 }
            ? "A report is dated before the sending: the clocks of sender and device disagree." : nil
    }
}
