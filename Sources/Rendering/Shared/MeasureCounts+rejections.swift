internal import DeliveryModel

extension MeasureCounts {
    /// The classes with rejections, the most frequent first.
    var rejectionsByClass: [(name: String, count: Int64)] {
        RejectionClass.allCases
            .map { (name: $0.rawValue, count: self[.rejected($0)]) }
            .filter { $0.count > 0 }
            .sorted { $0.count > $1.count }
    }

    var rejected: Int64 { self[.attempted] - self[.accepted] }
}

extension StagePicture {
    /// The rejections by class. Their sum has no bar, because it would have the full length, as the bar of all attempts does.
    static func rejections(_ totals: MeasureCounts) -> StagePicture {
        let rejected = totals.rejected
        let all = Stage(
            name: "rejected", count: rejected, ink: nil,
            share: (totals.share(rejected, of: totals[.attempted]), "attempted"))
        let classes = totals.rejectionsByClass.map { item in
            Stage(
                name: "  " + item.name, count: item.count, ink: .trouble,
                share: (totals.share(item.count, of: rejected), "rejected"))
        }
        return StagePicture(title: "Rejected by class", [all] + classes)
    }
}
