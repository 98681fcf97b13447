import DeliveryModel
import Foundation
import PostgresClient
import TestDatabase
import Testing
import TokenLifecycle

@testable import Ingestion

@Suite(.database) struct MessageRecipientsTests {
    private let story = MessageStory()

    @Test(
        "a response that was looked up before its token was registered gets the holder that another batch found"
    )
    func holderFoundMeanwhile() async throws {
        let (message, phone) = (story.message(isDated: true), UUID())
        let event = story.response(message, to: MessageStory.token(phone))
        guard case .response(let response) = event.content, case .token(let address) = response.target else {
            return #expect(Bool(false))
        }
        try await story.register(phone)
        try await story.post(event)
        let holders: [Int64?] = try await story.database.query(
            "SELECT installation_id FROM landfall.installation"
        ) { try $0.get(0) }
        let (settled, entry) = try await story.database.pool.withTransaction {
            [vault = story.vault] connection in
            let target = try TokenLedger(vault: vault).resolve(
                [AppTokenAddress(appID: firstApp, address: address)], now: .now, on: connection)[0]
            // As if no device had held it by then.
            let response = DeliveryRecord.ResolvedResponse(
                campaignID: 1, segmentID: 1, tokenID: target?.token?.tokenID, installationID: nil,
                responseID: 1,
                outcome: ResponseOutcome(.accepted, .keep))
            let entry = DeliveryBatch.Entry(
                position: 0, appID: firstApp, event: event, notificationID: event.name.id,
                sentAt: event.sentAt,
                contribution: [.attempted, .accepted], token: target?.token, place: target?.place,
                otherPlace: nil, isMeant: true,
                response: response, warnings: [])
            var batch = DeliveryBatch(entries: [entry], isAddressed: false)
            let settled = try MessageRecipients.settle(batch.entries, now: .now, on: connection)
            batch.address(settled)
            return (settled.waitingTokenIDs, batch.entries[0])
        }
        #expect(settled.isEmpty)
        #expect(entry.notificationID == .notification(ofMessage: message, toDevice: phone))
        #expect([entry.response?.installationID] == holders)
    }
}
