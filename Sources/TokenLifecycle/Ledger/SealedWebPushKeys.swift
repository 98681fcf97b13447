internal import DeliveryModel
internal import PostgresClient
internal import Vault

extension TokenVault {
    func seal(_ keys: WebPushKeys, ofApp appID: Int64) throws -> [UInt8] {
        try seal(keys.bytes, for: .webPushKeys(ofApp: appID))
    }

    /// Opens the column `sealed_keys`; `nil` if the token has no keys.
    func webPushKeys(of row: PostgresRow, ofApp appID: Int64) throws -> WebPushKeys? {
        try row.getOptional("sealed_keys", as: [UInt8].self).flatMap { sealed in
            WebPushKeys(bytes: try open(sealed, from: .webPushKeys(ofApp: appID)))
        }
    }
}
