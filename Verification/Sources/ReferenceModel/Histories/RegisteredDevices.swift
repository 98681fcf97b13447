internal import Foundation

/// The registered devices, with the traits of their last registration.
struct RegisteredDevices {
    private let devices: [HistoryDevice]
    private var traits: [Int: [Int: DeviceTraits]] = [:]

    init(_ devices: [HistoryDevice]) {
        self.devices = devices
    }

    mutating func register(_ registration: HistoryRegistration) {
        traits[registration.app, default: [:]][registration.device] = registration.traits
    }

    func registering(_ registration: HistoryRegistration) -> RegisteredDevices {
        var devices = self
        devices.register(registration)
        return devices
    }

    /// The device that an event names, if it has registered with the app.
    func reporter(of event: MeantEvent, app: Int) -> UUID? {
        guard let device = event.namedDevice, traits[app]?[device] != nil else { return nil }
        return devices[device].deviceID
    }

    /// The target of a push, if it is known, and that device's traits.
    func find(_ response: MeantResponse, app: Int) -> (FoundTarget, DeviceTraits?) {
        switch response.target {
        case .broadcast: return (FoundTarget(), nil)
        case .strangeToken: return (FoundTarget(hasToken: true), nil)
        case .deviceToken(let device):
            // A registered value is one token, under any provider name.
            guard let known = traits[app]?[device] else { return (FoundTarget(hasToken: true), nil) }
            return (FoundTarget(hasToken: true, deviceID: devices[device].deviceID), known)
        case .device(let device):
            guard let known = traits[app]?[device] else { return (FoundTarget(), nil) }
            return (FoundTarget(hasToken: false, deviceID: devices[device].deviceID), known)
        }
    }
}
