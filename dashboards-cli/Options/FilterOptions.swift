internal import ArgumentParser
internal import Reports

/// The notifications that a report includes.
struct FilterOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only this campaign. This and the following options may be repeated; '' selects none or unknown.",
            valueName: "name"), completion: .values(of: .campaign))
    var campaign: [String] = []

    @Option(help: ArgumentHelp("Only this variant.", valueName: "name"), completion: .values(of: .variant))
    var variant: [String] = []

    @Option(
        help: ArgumentHelp("Only this apns-push-type: alert, background, …", valueName: "type"),
        completion: .values(of: .pushType))
    var pushType: [String] = []

    @Option(help: ArgumentHelp("Only this priority.", valueName: "number"))
    var priority: [String] = []

    @Option(
        help: ArgumentHelp("Only this provider: apns, fcm, …", valueName: "name"),
        completion: .values(of: .provider))
    var provider: [String] = []

    @Option(
        help: ArgumentHelp("Only this environment: production or sandbox.", valueName: "name"),
        completion: .list(["production", "sandbox"]))
    var environment: [String] = []

    @Option(help: ArgumentHelp("Only this topic.", valueName: "topic"), completion: .values(of: .topic))
    var topic: [String] = []

    @Option(
        help: ArgumentHelp("Only this platform: ios, android, …", valueName: "name"),
        completion: .values(of: .platform))
    var platform: [String] = []

    @Option(
        help: ArgumentHelp("Only this app version.", valueName: "version"),
        completion: .values(of: .appVersion))
    var appVersion: [String] = []

    @Option(
        help: ArgumentHelp("Only this OS version.", valueName: "version"), completion: .values(of: .osVersion)
    )
    var osVersion: [String] = []

    @Option(help: ArgumentHelp("Only this language.", valueName: "code"), completion: .values(of: .language))
    var language: [String] = []

    @Option(
        help: ArgumentHelp("Only this permission: authorized, provisional, denied, …", valueName: "name"),
        completion: .values(of: .permission))
    var permission: [String] = []

    var chosen: [ReportFilter] {
        [
            ReportFilter(.campaign, campaign), ReportFilter(.variant, variant),
            ReportFilter(.pushType, pushType), ReportFilter(.priority, priority),
            ReportFilter(.provider, provider), ReportFilter(.environment, environment),
            ReportFilter(.topic, topic), ReportFilter(.platform, platform),
            ReportFilter(.appVersion, appVersion), ReportFilter(.osVersion, osVersion),
            ReportFilter(.language, language), ReportFilter(.permission, permission),
        ].filter { !$0.values.isEmpty }
    }
}
