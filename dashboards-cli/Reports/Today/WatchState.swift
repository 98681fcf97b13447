internal import Access
internal import Instants
internal import Reports

/// Everything that a screen of `landfall watch` shows.
struct WatchState {
    /// The reason why the figures are not current.
    struct Trouble: Equatable {
        let reason: String
        let since: Instant
    }

    let app: App
    let timeZone: ReportTimeZone
    /// The time in the corner of the screen.
    var now: Instant
    var day: AppToday?
    var health: TokenHealth?
    var pace = IntakePace()
    /// Whether other commands must name the app too.
    var namesApp = false
    var trouble: Trouble?
    /// The reason why the last count of the tokens failed.
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

/// A result of the watch's reader.
enum WatchNews: Sendable {
    /// The day, and the items received since the hour in which the watch began.
    case day(AppToday, ReceivedItems)
    case health(TokenHealth)
    /// The tokens could not be counted; all other figures are current.
    case healthTrouble(String, Instant)
    case trouble(String, Instant)
}
