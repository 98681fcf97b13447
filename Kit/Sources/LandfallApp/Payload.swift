/// The parts of a notification that the kit needs. `userInfo` contains property list values, which nothing
/// changes.
package struct Payload: @unchecked Sendable {
    package let userInfo: [AnyHashable: Any]
    package let category: String
    /// Whether the app scheduled the notification itself.
    package let isLocal: Bool

    package init(userInfo: [AnyHashable: Any], category: String = "", isLocal: Bool = false) {
        (self.userInfo, self.category, self.isLocal) = (userInfo, category, isLocal)
    }
}
