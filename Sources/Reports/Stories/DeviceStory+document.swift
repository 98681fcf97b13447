public import Documents

extension DeviceStory {
    /// `{"story":"device",…}`. Stable; members may be added.
    ///
    /// - `app`, `time_zone`, `as_of`.
    /// - `device`: `device_id`, `installation_id`, `platform`, `app_version`, `os_version`, `language`,
    ///   `device_time_zone`, `model`, `permission`, `turned_off`, `registration_error`, `kit` (each null if unknown), `missing_categories`,
    ///   `tags`, `claimed_tags` (without a proof), `has_credential`, `first_registered_at`,
    ///   `last_registered_at`, `last_sign_of_life_at`, `erased_at` (null if not erased).
    /// - `accounts`: `account`, `is_verified` (false: only the device says so), `bound_at`, `unbound_at` (null while bound), in time order.
    /// - `tokens`, `ledger`, `pushes`: as in ``TokenStory/document``.
    ///
    /// Instants are RFC 3339 in `time_zone`.
    public var document: JSONValue {
        let clock = scope.clock
        return .object(
            scope.heading("device") + [
                .init("device", device.document(clock)),
                .init("accounts", .array(bindings.map { $0.document(clock) })),
                .init("tokens", .array(tokens.map { $0.document(clock) })),
                .init("ledger", ledger.document(clock, names)), .init("pushes", scope.pushes(pushes)),
            ])
    }
}

extension DeviceProfile {
    fileprivate func document(_ clock: StoryClock) -> JSONValue {
        func known(_ text: String) -> JSONValue { text.isEmpty ? .null : .string(text) }
        return [
            "device_id": .string(deviceID.text), "installation_id": .integer(installationID),
            "platform": known(platform), "app_version": known(appVersion), "os_version": known(osVersion),
            "language": known(language), "device_time_zone": known(timeZone), "model": known(model),
            "permission": known(permission),
            "turned_off": turnedOff.map { .array($0.map { .string($0) }) } ?? .null,
            "registration_error": known(registrationError), "kit": known(kit),
            "missing_categories": .array(missingCategories.map { .string($0) }),
            "tags": .array(tags.map { .string($0) }),
            "claimed_tags": .array(claimedTags.map { .string($0) }), "has_credential": .bool(hasCredential),
            "first_registered_at": clock.document(firstRegisteredAt),
            "last_registered_at": clock.document(lastRegisteredAt),
            "last_sign_of_life_at": clock.document(lastSignOfLifeAt), "erased_at": clock.document(erasedAt),
        ]
    }
}

extension DeviceStory.Binding {
    fileprivate func document(_ clock: StoryClock) -> JSONValue {
        [
            "account": .string(account), "is_verified": .bool(isVerified),
            "bound_at": clock.document(boundAt),
            "unbound_at": clock.document(unboundAt),
        ]
    }
}
