public import DeliveryModel
internal import Instants
internal import PostgresClient
internal import SQLFiles

/// A registration that must not be recorded.
public enum DeviceRegistryError: Error, Equatable, Sendable {
    /// The device was erased on request. If the app is used again, it registers with a new device id.
    case erasedDevice
    /// A device must show the installation's credential, or the value of one of its tokens.
    case credentialRequired
    /// The app has no such device, and the registration may not create one.
    case mayNotBeNew
    /// The installation registered too many values of this kind within a day.
    case tooManyValues(TokenKind)
    /// The installation is unproven, and its registration may not add values.
    case mayNotAddValues
}

/// The data shared by all steps of one registration.
struct RegistrationContext {
    let appID: Int64
    let installationID: Int64
    let registeredAt: Instant
    let now: Instant
    /// Whether a server vouches for the tokens.
    let isVouched: Bool
}

extension DeviceRegistry {
    /// Binds the account; an empty one only ends the previous binding.
    func bind(
        _ account: String, isVerified: Bool, _ context: RegistrationContext, on connection: PostgresConnection
    ) throws {
        try connection.query(
            .Tokens.unbindOtherAccounts,
            [.value(context.installationID), .value(account), .value(context.registeredAt)])
        try connection.query(
            .Tokens.bindAccount,
            [
                .value(context.appID), .value(context.installationID), .value(account),
                .value(context.registeredAt), .value(isVerified),
            ])
    }

    func note(_ permission: String, _ context: RegistrationContext, on connection: PostgresConnection) {
        let parameters: [PostgresParameter] = [
            .value(context.appID), .value(context.installationID), .value(permission),
            .value(context.registeredAt),
        ]
        connection.enqueue(PostgresStatement(.Tokens.endOtherPermissions, parameters))
        connection.enqueue(PostgresStatement(.Tokens.startPermission, parameters))
    }
}
