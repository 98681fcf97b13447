internal import DeliveryModel
public import Documents

extension RejectionsReport {
    /// The shape of all reports; each row also contains its response and what to do about it.
    public var document: JSONValue {
        .object(
            frame.members + [
                .init("rows", .array(rows.map(Self.json))),
                .init(
                    "totals",
                    [
                        "counts": [
                            "attempted": .integer(totals[.attempted]), "rejected": .integer(rejected),
                        ],
                        "rates": ["share": share.json],
                    ]),
            ] + unmatched.members + (comparison.map { [.init("comparison", $0.json(of: frame.query))] } ?? [])
        )
    }

    private static func json(_ row: Row) -> JSONValue {
        [
            "key": row.key.json,
            "counts": ["rejected": .integer(row.rejected)],
            "answer": row.response.json,
            "rates": ["share": row.share.json],
            "advice": row.response.adviceJSON,
        ]
    }
}
