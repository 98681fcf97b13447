import ArgumentParser
import DeliveryModel
import Foundation
import Testing

@testable import landfall

@Suite("landfall erase") struct EraseCommandTests {
    @Test(
        "who is to be erased is named once and well",
        arguments: [
            [], ["--device", "12"], ["--account", ""],
            ["--device", "0b9c1d5e-8f53-4c6b-9d61-2f6f3f0f9a11", "--account", "anna"],
        ])
    func mistakes(arguments: [String]) {
        #expect(throws: (any Error).self) { try Landfall.parseAsRoot(["erase"] + arguments) }
    }

    @Test("one device or one account is enough")
    func wellNamed() {
        for arguments in [
            ["--device", "0b9c1d5e-8f53-4c6b-9d61-2f6f3f0f9a11"], ["--account", "anna", "--apply"],
        ] {
            #expect(throws: Never.self) { try Landfall.parseAsRoot(["erase"] + arguments) }
        }
    }
}
