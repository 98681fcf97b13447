internal import DeliveryModel
internal import PostgresClient
internal import TokenLifecycle

/// What happens before a batch is written: its words and tokens get their ids, in transactions of their own.
extension BatchRecorder {
    func prepare(
        _ items: [BatchItem], now: Instant, on connection: PostgresConnection
    ) throws -> DeliveryBatch {
        var events = items.enumerated().compactMap { position, item -> PostedItem? in
            guard case .success(let event) = item.content else { return nil }
            return PostedItem(position: position, appID: item.appID, event: event)
        }
        try spokenTokens.replace(in: &events, on: connection)
        let targets = try resolveTargets(of: events, now: now, on: connection)
        let responses = try resolveResponses(of: events, targets, on: connection)
        let reporters = try signs.installations(of: events.compactMap(\.reporter), on: connection)
        let unregistered = UnregisteredTokens(zip(events, targets).map { $0.response == nil ? nil : $1 })
        var entries: [DeliveryBatch.Entry] = []
        entries.reserveCapacity(events.count)
        var isAddressed = true
        for (index, posted) in events.enumerated() {
            let response = responses[index]
            let (target, address) = (targets[index], posted.tokenAddress?.address)
            let notificationID = posted.event.name.notificationID
            if notificationID == nil { isAddressed = false }
            entries.append(
                DeliveryBatch.Entry(
                    position: posted.position, appID: posted.appID, event: posted.event,
                    notificationID: notificationID ?? posted.event.name.id,
                    sentAt: posted.event.idTime ?? posted.event.sentAt,
                    contribution: posted.event.contribution(outcome: response?.outcome.outcomeClass),
                    reporter: posted.reporter.flatMap { reporters[$0] },
                    token: target?.token, place: target?.place,
                    otherPlace: address.flatMap { target?.otherPlace(in: $0) },
                    isMeant: address.flatMap { target?.isMeant(by: $0) } ?? true, response: response,
                    warnings: posted.warnings(target, response?.outcome, unregistered)))
        }
        return DeliveryBatch(entries: entries, isAddressed: isAddressed)
    }

    /// The token (for channels without tokens, the installation) that each response is about, by position.
    private func resolveTargets(
        of events: [PostedItem], now: Instant, on connection: PostgresConnection
    ) throws -> [PushTarget?] {
        let tokens = try ledger.resolve(
            events.map(\.tokenAddress), sentAt: events.map { $0.event.sentAt ?? $0.event.idTime }, now: now,
            on: connection)
        let devices = try InstallationDirectory.find(Set(events.compactMap(\.targetDevice)), on: connection)
        guard !devices.isEmpty else { return tokens }
        return zip(events, tokens).map { posted, target in
            target ?? posted.targetDevice.flatMap { devices[$0] }
        }
    }

    /// The content of each response, with ids for its words; `nil` for events that are not responses.
    private func resolveResponses(
        of events: [PostedItem], _ targets: [PushTarget?], on connection: PostgresConnection
    ) throws -> [DeliveryRecord.ResolvedResponse?] {
        let words = zip(events, targets).map { posted, target in
            posted.response.map { ResponseNames($0, appID: posted.appID, target: target, taxonomy) }
        }
        let campaigns = try dimensions.campaigns.ids(of: words.map(\.?.campaign), on: connection)
        let segments = try dimensions.segments.ids(of: words.map(\.?.segment), on: connection)
        let responses = try dimensions.responses.ids(of: words.map(\.?.response), on: connection)
        return words.indices.map { index in
            guard let words = words[index], let campaignID = campaigns[index],
                let segmentID = segments[index], let responseID = responses[index]
            else { return nil }
            let target = targets[index]
            return DeliveryRecord.ResolvedResponse(
                campaignID: campaignID, segmentID: segmentID, tokenID: target?.token?.tokenID,
                installationID: target?.installationID, responseID: responseID, outcome: words.outcome)
        }
    }
}

/// The words of a response that rows reference by id.
private struct ResponseNames {
    let campaign: CampaignName
    let segment: Segment
    let response: ResponseWords
    let outcome: ResponseOutcome

    init(_ response: ProviderResponse, appID: Int64, target: PushTarget?, _ taxonomy: RejectionTaxonomy) {
        outcome = taxonomy.outcome(
            provider: response.provider, status: response.status, reason: response.reason)
        campaign = CampaignName(appID: appID, key: response.campaign, variant: response.variant)
        segment = Segment(
            appID: appID, provider: response.provider, environment: response.environment.rawValue,
            topic: response.topic, pushType: response.pushType, priority: response.priority ?? "",
            traits: target?.traits ?? InstallationTraits())
        self.response = ResponseWords(
            provider: response.provider, status: Int32(response.status), reason: response.reason ?? "",
            outcomeClass: outcome.outcomeClass)
    }
}

struct PostedItem {
    let position: Int
    let appID: Int64
    var event: Event

    var response: ProviderResponse? {
        guard case .response(let response) = event.content else { return nil }
        return response
    }

    var hasReason: Bool {
        guard case .response(let response) = event.content else { return false }
        return response.reason != nil
    }

    /// The token that a response or a vendor's receipt names.
    var tokenAddress: AppTokenAddress? {
        event.tokenAddress.map { AppTokenAddress(appID: appID, address: $0) }
    }

    /// The device that a device event about a notification names.
    var reporter: AppDevice? {
        guard case .notification = event.name, case .device(let report) = event.content else { return nil }
        return report.deviceID.map { AppDevice(appID: appID, deviceID: $0) }
    }

    var targetDevice: AppDevice? {
        guard case .device(let deviceID) = response?.target else { return nil }
        return AppDevice(appID: appID, deviceID: deviceID)
    }
}
