import Access
import DeliveryModel
import PostgresClient
import TestDatabase
import Testing

@Suite("Ranges of ids", .database, .oneCell("makes its own cells"))
struct IDRangeTests {
    private let bench = CellBench()

    @Test("are handed out in ascending order, and the same one to a repeated call")
    func ascending() throws {
        let front = try bench.front()
        let (one, three) = (try bench.cell(1), try bench.cell(3))
        let first = try IDRange.next(for: three, from: front)
        let second = try IDRange.next(for: one, from: front)
        let third = try IDRange.next(for: one, above: second, from: front)
        #expect([first, second, third].map(\.number) == [1, 2, 3])
        #expect(try IDRange.next(for: three, from: front) == first)
        #expect(try IDRange.next(for: one, above: second, from: bench.front()) == third)
        #expect(try IDRange.next(for: .front, from: front).number == 0)
    }

    @Test("are distinct if many cells ask for their first one at once")
    func concurrent() async throws {
        let bench = bench
        let numbers = try await withThrowingTaskGroup(of: Int64.self) { group in
            for number in 1...8 {
                group.addTask {
                    try IDRange.next(for: bench.cell(number), from: bench.front()).number
                }
            }
            return try await group.reduce(into: [Int64]()) { $0.append($1) }
        }
        #expect(numbers.sorted() == Array(1...8))
    }

    @Test("cell 0 has an end once there is another cell, and continues where it was")
    func bounded() throws {
        let front = try bench.front()
        #expect(try front.nextID("token_token_id_seq") == 1)
        #expect(try front.number("SELECT min(max_value) FROM landfall.id_sequence") == .max)
        #expect(try use(on: front) == [:])
        _ = try IDRange.next(for: bench.cell(3), from: front)
        #expect(
            try front.number(
                "SELECT count(*) FROM landfall.id_sequence WHERE max_value = (1::bigint << 38) - 1") == 14)
        #expect(
            try front.number("SELECT max_value FROM landfall.id_sequence WHERE name = 'app_app_id_seq'")
                == (1 << 20) - 1)
        #expect(try front.nextID("token_token_id_seq") == 2)
        #expect(try front.nextID("app_app_id_seq") == 1)
        #expect(try use(on: front)["token_token_id_seq"] == 2 / Double((1 << 38) - 1))
    }

    @Test("a cell 0 that was alone for years has every range that its ids have reached")
    func outgrown() throws {
        let front = try bench.front()
        try front.run("SELECT setval('landfall.token_transition_transition_id_seq', (2::bigint << 38) + 5)")
        #expect(try IDRange.next(for: bench.cell(3), from: front).number == 3)
        #expect(try IDRange.current(on: front).number == 2)
        #expect(try front.nextID("token_transition_transition_id_seq") == (2 << 38) + 6)
        #expect(try front.nextID("token_token_id_seq") == (2 << 38) + 1)
        #expect(try front.nextID("app_app_id_seq") == 1)
    }

    @Test("an id beyond the range is an error, and no item is at fault")
    func overflow() throws {
        let (_, connection) = try bench.add(3)
        try connection.run("SELECT setval('landfall.campaign_campaign_id_seq', (2::bigint << 38) - 1)")
        #expect(try use(on: connection)["campaign_campaign_id_seq"] == 1)
        let error = #expect(throws: PostgresError.self) {
            try connection.nextID("campaign_campaign_id_seq")
        }
        #expect(error?.sqlState == .endOfSequence)
        #expect(error?.isDataError == false)
        #expect(error?.description.hasSuffix("landfall migrate gives the cell further ids") == true)
    }

    @Test("a transaction that does not end keeps a range from being taken, and no writer waits for long")
    func busy() throws {
        let front = try bench.front()
        let (three, writer) = (try bench.cell(3), try bench.front())
        try writer.run("BEGIN")
        #expect(try writer.nextID("token_token_id_seq") == 1)
        let error = #expect(throws: PostgresError.self) { try IDRange.next(for: three, from: front) }
        #expect(error?.sqlState == .lockNotAvailable)
        #expect(try writer.nextID("campaign_campaign_id_seq") == 1)
        #expect(try bench.front().number("SELECT count(*) FROM landfall.id_range") == 0)
        try writer.run("COMMIT")
        #expect(try IDRange.next(for: three, from: front).number == 1)
        #expect(try writer.nextID("token_token_id_seq") == 2)
    }

    @Test("a range is taken as soon as the writers in its way have ended")
    func brieflyBusy() async throws {
        let bench = bench
        let (three, writer) = (try bench.cell(3), try bench.front())
        try writer.run("BEGIN")
        _ = try writer.nextID("token_token_id_seq")
        async let range = {
            while true {
                do {
                    return try IDRange.next(for: three, from: bench.front())
                } catch let error as PostgresError where error.sqlState == .lockNotAvailable {
                    // The commit below comes late on a busy machine.
                }
            }
        }()
        try await Task.sleep(for: .milliseconds(400))
        try writer.run("COMMIT")
        #expect(try await range.number == 1)
        #expect(try writer.nextID("token_token_id_seq") == 2)
    }

    @Test("cell 0 learns the ranges that it has forgotten, and does not hand them out again")
    func forgotten() throws {
        let front = try bench.front()
        let (_, low) = try bench.add(1)
        let (three, high) = try bench.add(3)
        let (first, second) = (try IDRange.current(on: low), try IDRange.current(on: high))
        // As in a backup from before cell 3.
        try front.run("DELETE FROM landfall.id_range WHERE cell = 3")
        for _ in 1...2 { try second.record(as: three, in: front) }
        #expect(try IDRange.next(for: bench.cell(4), from: front).number == 3)
        // A cell 0 that was alone when it was backed up.
        try front.run("DELETE FROM landfall.id_range")
        try second.record(as: three, in: front)
        try first.record(as: bench.cell(1), in: front)
        #expect(try IDRange.next(for: bench.cell(5), from: front).number == 4)
        #expect(try IDRange.current(on: front).number == 3)
    }

    @Test("a cell whose range was handed out twice is found, and gets another")
    func doubled() throws {
        let front = try bench.front()
        let (three, connection) = try bench.add(3)
        try front.run("DELETE FROM landfall.id_range WHERE cell = 3")
        let (four, other) = try bench.add(4)
        let range = try IDRange.current(on: connection)
        #expect(try IDRange.current(on: other) == range)
        let error = #expect(throws: AccessError.rangeTaken(cell: 3, by: 4)) {
            try range.record(as: three, in: front)
        }
        #expect(
            error?.description
                == "cell 3 uses the ids of cell 4: run landfall migrate, and move no app between the two")
        for (cell, connection) in [(three, connection), (four, other)] {
            try IDRange.renew(cell, on: connection, from: front, isRestored: false)
            try IDRange.current(on: connection).record(as: cell, in: front)
        }
        #expect(try IDRange.current(on: connection).number == 2)
        #expect(try IDRange.current(on: other) == range)
    }

    @Test("a cell gets the next range once it has used half of its own, but apps keep their numbers")
    func halfUsed() throws {
        let front = try bench.front()
        let (three, connection) = try bench.add(3)
        func renew() throws -> Int64 {
            try IDRange.renew(three, on: connection, from: front, isRestored: false)
            return try IDRange.current(on: connection).number
        }
        func use(_ sequence: String, upTo id: Int64, on connection: PostgresConnection) throws {
            try connection.run("SELECT setval('landfall.\(sequence)', \(id))")
        }
        try use("app_app_id_seq", upTo: (3 << 20) + (1 << 19) + 7, on: connection)
        try use("token_token_id_seq", upTo: (1 << 38) + (1 << 37) - 7, on: connection)
        #expect(try renew() == 1)
        try use("token_token_id_seq", upTo: (1 << 38) + (1 << 37) + 7, on: connection)
        for _ in 1...2 { #expect(try renew() == 2) }
        #expect(try connection.nextID("token_token_id_seq") == (2 << 38) + 1)
        #expect(try connection.nextID("app_app_id_seq") == (3 << 20) + (1 << 19) + 8)

        try use("token_token_id_seq", upTo: (1 << 37) + 7, on: front)
        try IDRange.renew(.front, on: front, from: bench.front(), isRestored: false)
        #expect(try front.nextID("token_token_id_seq") == (3 << 38) + 1)
        #expect(try front.nextID("app_app_id_seq") == 1)
    }

    @Test("a restored cell gets ids that it did not have before or after the backup")
    func restored() throws {
        let front = try bench.front()
        let (three, connection) = try bench.add(3)
        var ranges = [try IDRange.current(on: connection)]
        for _ in 1...3 {
            // Each time the same backup.
            try connection.run(
                """
                DO $$ DECLARE known record; BEGIN
                    FOR known IN SELECT name FROM landfall.id_sequence WHERE name <> 'app_app_id_seq' LOOP
                        EXECUTE format(
                            'ALTER SEQUENCE landfall.%1$I MINVALUE %2$s MAXVALUE %3$s START %2$s RESTART %2$s',
                            known.name, (1::bigint << 38) + 1, (2::bigint << 38) - 1);
                    END LOOP;
                END; $$
                """)
            #expect(try IDRange.current(on: connection) == ranges[0])
            try IDRange.renew(three, on: connection, from: front, isRestored: true)
            ranges.append(try IDRange.current(on: connection))
        }
        #expect(ranges.map(\.number) == [1, 2, 3, 4])
    }

    @Test("there are 1,024")
    func exhausted() throws {
        let front = try bench.front()
        let (one, three) = (try bench.cell(1), try bench.cell(3))
        #expect(try IDRange.next(for: three, from: front).number == 1)
        try front.run(
            """
            INSERT INTO landfall.id_range (number, cell, above)
            SELECT number, 9, number - 1 FROM generate_series(2, 1022) AS number
            """)
        let last = try IDRange.next(for: one, from: front)
        #expect(last.number == 1_023)
        #expect(throws: AccessError.noRangeLeft) {
            try IDRange.next(for: three, above: last, from: front)
        }
        #expect(try IDRange.next(for: one, from: front) == last)
    }

    @Test("a cell takes a higher range before higher ids arrive, once, and its apps keep their numbers")
    func raised() throws {
        let front = try bench.front()
        let (one, low) = try bench.add(1)
        let (three, high) = try bench.add(3)
        let highest = try IDRange.current(on: high)
        #expect(try IDRange.current(on: low).number < highest.number)
        // A call that was killed after cell 0 had handed out the range.
        let promised = try IDRange.next(for: one, above: highest, from: front)
        try IDRange.raise(one, above: highest, on: low, from: front)
        #expect(try IDRange.current(on: low) == promised)
        #expect(try low.nextID("token_token_id_seq") == (3 << 38) + 1)
        #expect(try low.nextID("app_app_id_seq") == (1 << 20) + 1)
        for _ in 1...2 { try IDRange.raise(one, above: highest, on: low, from: front) }
        #expect(try low.nextID("token_token_id_seq") == (3 << 38) + 2)
        try IDRange.raise(three, above: .current(on: front), on: high, from: front)
        try IDRange.raise(three, above: highest, on: high, from: front)
        #expect(try IDRange.current(on: high) == highest)
        #expect(try front.number("SELECT count(*) FROM landfall.id_range") == 4)
    }

    /// The used share of each sequence's range.
    private func use(on connection: PostgresConnection) throws -> [String: Double] {
        var shares: [String: Double] = [:]
        for row in try connection.query(.Access.idUse) {
            shares[try row.get("name", as: String.self)] = try row.get("share", as: Double.self)
        }
        return shares
    }
}
