internal import Access
internal import DeliveryModel
internal import Reports

/// All that a screen of `landfall watch` shows.
struct WatchState {
    /// Why the figures are not of now.
    struct Trouble: Equatable {
        let reason: String
        let since: Instant
    }

    let app: App
    let timeZone: ReportTimeZone
    /// What the clock in the corner shows.
    var now: Instant
    var day: AppToday?
    var health: TokenHealth?
    var pace = IntakePace()
    /// Other commands need the app's name too.
    var namesApp = false
    var trouble: Trouble?
    /// Why the tokens could not be counted the last time.
    var healthTrouble: Trouble?

    mutating func take(_ news: WatchNews) {
        switch news {
        case .day(let day, let received):
            self.day = day
            pace.note(received, at: day.asOf)
            trouble = nil
        case .health(let health):
            self.health = health
            healthTrouble = nil
        case .healthTrouble(let reason, let at):
            healthTrouble = Trouble(reason: reason, since: healthTrouble?.since ?? at)
        case .trouble(let reason, let at):
            trouble = Trouble(reason: reason, since: trouble?.since ?? at)
        }
    }
}

/// What the reader of a watch has found out.
enum WatchNews: Sendable {
    /// With the items received since the hour in which the watch began.
    case day(AppToday, ReceivedItems)
    case health(TokenHealth)
    /// The tokens could not be counted; all other figures are of now.
    case healthTrouble(String, Instant)
    case trouble(String, Instant)
}
