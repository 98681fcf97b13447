import Basics
import Testing

struct InstantTests {
    @Test(
        "RFC 3339 instants are read with their zone",
        arguments: [
            ("1970-01-01T00:00:00Z", 0),
            ("2026-03-01T10:30:00.250+01:00", 1_772_357_400_250),
            ("2026-03-01t09:30:00.25z", 1_772_357_400_250),
            ("2026-03-01 09:30:00.2509999Z", 1_772_357_400_250),
            ("2000-02-29T23:59:60Z", 951_868_800_000),
            ("1969-12-31T23:59:59.999Z", -1),
            ("2024-12-31T20:15:00-03:45", 1_735_689_600_000),
        ])
    func parses(text: String, milliseconds: Int64) {
        #expect(Instant(rfc3339: text)?.millisecondsSinceEpoch == milliseconds)
    }

    @Test(
        "text that is not an instant is rejected",
        arguments: [
            "", "now", "2026-03-01", "2026-03-01T09:30:00", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z",
            "2026-03-01T24:00:00Z", "2026-03-01T09:60:00Z", "2026-03-01T09:30:00.Z",
            "2026-03-01T09:30:00+1:00",
            "2026-03-01T09:30:00Z ", "2026-03-01T09:30:00+25:00", "２０２６-03-01T09:30:00Z",
        ])
    func rejects(text: String) {
        #expect(Instant(rfc3339: text) == nil)
    }

    @Test("writing and reading agree over four centuries")
    func roundTrip() {
        for step in 0..<5_000 {
            let instant = Instant(
                millisecondsSinceEpoch: -6_000_000_000_000 + Int64(step) * 2_500_000_123)
            #expect(Instant(rfc3339: instant.rfc3339) == instant)
        }
    }

    @Test("quarter hours begin at 0, 15, 30 and 45 minutes, before 1970 too")
    func quarters() {
        let quarter = Span.minutes(15).milliseconds
        for milliseconds in [0, 1, quarter - 1, quarter, -1, -quarter, -quarter - 1] {
            let start = Instant(millisecondsSinceEpoch: milliseconds).startOfQuarter.millisecondsSinceEpoch
            #expect(start % quarter == 0)
            #expect(start <= milliseconds && milliseconds - start < quarter)
        }
    }

    @Test("hours begin at minute 0, before 1970 too")
    func hours() {
        let hour = Span.hours(1).milliseconds
        for milliseconds in [0, 1, hour - 1, hour, -1, -hour, -hour - 1] {
            let start = Instant(millisecondsSinceEpoch: milliseconds).startOfHour.millisecondsSinceEpoch
            #expect(start % hour == 0)
            #expect(start <= milliseconds && milliseconds - start < hour)
        }
    }

    @Test("days begin at midnight UTC, before 1970 too")
    func days() {
        let day = Span.days(1).milliseconds
        for milliseconds in [0, 1, day - 1, day, -1, -day, -day - 1] {
            let start = Instant(millisecondsSinceEpoch: milliseconds).startOfUTCDay.millisecondsSinceEpoch
            #expect(start % day == 0)
            #expect(start <= milliseconds && milliseconds - start < day)
        }
    }
}
