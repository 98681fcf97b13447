internal import DeliveryModel

extension TokenStatusReport: Sheeted {
    /// A row; `nil` for the totals.
    private typealias Subject = (row: Row?, tokens: Int64)

    private var fields: [SheetField<Subject>] {
        var fields: [SheetField<Subject>] = [
            .words("state", at: ["key", "state"]) { $0.row?.state },
            .words("kind", at: ["key", "kind"]) { $0.row?.kind },
            .words("environment", at: ["key", "environment"]) { $0.row?.environment },
            .count("tokens", in: [.rows, .totals, .csv]) { $0.tokens },
            SheetField(SheetColumn("share", .rate, in: .nowhere, isPlain: true)) { [tokens] in
                .rate(Proportion($0.tokens, of: tokens))
            },
        ]
        fields += otherTotals.map { member in
            SheetField<Subject>(SheetColumn(member.key, .document, in: .totals)) { _ in
                .document(member.value)
            }
        }
        fields += [.constant("app", app.slug), .constant("unit", "tokens"), .constant("as_of", asOf.rfc3339)]
        return fields
    }

    /// Figures that are not known as of the past are omitted there.
    private var otherTotals: [JSONValue.Member] {
        let known = JSONValue.Member("installations", .integer(installations))
        if let installationStates {
            return [known, .init("installations_by_state", installationStates.json)]
        }
        return [
            known, .init("erased_installations", .optional(erasedInstallations)),
            .init("audience", .optional(audience)),
        ] + (settings?.members ?? [])
    }

    public var sheet: Sheet {
        let (time, isPast) = (asOf.utcMinuteWithOffset, installationStates != nil)
        let source = isPast ? "from the ledger: what was decided before \(time)" : "as of \(time)"
        var sheet = Sheet(
            "Tokens", of: app, asOf: asOf,
            members: [
                "report": "tokens", "app": .string(app.slug), "unit": "tokens",
                "as_of": .string(asOf.rfc3339),
            ], facts: [("counted", "tokens, exact, \(source)")], fields, rows: rows.map { ($0, $0.tokens) },
            totals: (nil, tokens))
        sheet.pageFacts = [
            ("as of", "\(time), UTC"),
            ("counted", "tokens, exact, \(isPast ? "from the ledger, before that instant" : "as of now")"),
        ]
        sheet.headline =
            "\(Words.number(states[.active])) of \(Words.number(tokens)) tokens are active."
        sheet.table = [
            ["state", "kind", "environment"],
            [
                .bar(
                    SheetBar(
                        "of largest", "tokens", .caution,
                        inks: ("state", ["active": .confirmed, "retired": .aside]), width: 20)), "tokens",
                "share",
            ],
        ]
        sheet.blankTotals = ["share"]
        sheet.isTableFirst = true
        sheet.pictures = [.figures(figures), .bars(stateBars)]
        sheet.remarks = isPast ? pastRemarks : presentRemarks
        sheet.remarkWidth = 13
        sheet.terms = ["audience"]
        return sheet
    }

    private var figures: [SheetFigure] {
        let audience = audience.map { SheetFigure("audience", .count($0), Self.audienceMeaning, .confirmed) }
        return [audience, SheetFigure("installations", .count(installations), "known")].compactMap(\.self)
    }

    private static let audienceMeaning = "installations that could be shown a notification"

    private var stateBars: SheetBars {
        SheetBars(
            title: "By state", caption: "Tokens. A full bar is all \(Words.number(tokens)).",
            headings: ("State", "Tokens", "Share"),
            bars: TokenState.allCases.map { state in
                let share = Proportion(states[state], of: tokens).value ?? 0
                return .init(
                    name: state.rawValue, value: Words.number(states[state]),
                    detail: "\(Words.percent(share)) %", length: share,
                    ink: state == .active ? .confirmed : state == .retired ? .aside : .caution)
            })
    }

    // MARK: - Remarks

    private var pastRemarks: [SheetRemark] {
        let meanings: [(TokenState, String)] = [
            (.active, "could be sent to"), (.suspect, "neither to be trusted nor deleted"),
            (.stale, "silent for too long"), (.retired, "not to be sent to"),
        ]
        return [
            SheetRemark(
                "installations", .count(installations),
                "held a token that shows notifications by then; by the best token of each:", isOnPage: false)
        ]
            + meanings.map { state, meaning in
                SheetRemark("  \(state.rawValue)", .count(installationStates?[state] ?? 0), meaning)
            }
    }

    private var presentRemarks: [SheetRemark] {
        [
            // Pages have the first two as figures.
            SheetRemark("audience", .count(audience ?? 0), Self.audienceMeaning, isOnPage: false),
            SheetRemark(
                "installations", .count(installations), "registered, whatever their tokens", isOnPage: false),
            SheetRemark("erased", .count(erasedInstallations ?? 0), "installations erased on request"),
        ] + (settings?.remarks ?? [])
    }
}

extension TokenStatusReport.Settings {
    fileprivate var members: [JSONValue.Member] {
        let off = NotificationSetting.allCases.map { setting in
            JSONValue.Member(setting.rawValue, .integer(turnedOff[setting] ?? 0))
        }
        return [
            .init("with_settings", .integer(known)), .init("turned_off", .object(off)),
            .init("registration_failed", .integer(failed)),
        ]
    }

    /// What devices said, as far as any did.
    fileprivate var remarks: [SheetRemark] {
        let off = NotificationSetting.allCases.map { setting in
            let count = turnedOff[setting] ?? 0
            let share = Proportion(count, of: known).value.map {
                "\(Words.percent($0)) % of \(Words.number(known))"
            }
            return SheetRemark(
                "\(setting.words) off", .count(count),
                "\(share ?? "of none") installations that say what their users turned off")
        }
        let none = SheetRemark(
            "no token", .count(failed), "installations whose last registration says why the system gave none")
        return (known > 0 ? off : []) + (failed > 0 ? [none] : [])
    }
}

extension NotificationSetting {
    fileprivate var words: String {
        switch self {
        case .alert: "alerts"
        case .sound: "sounds"
        case .badge: "badges"
        case .lockScreen: "lock screen"
        case .notificationCenter: "center"
        }
    }
}
