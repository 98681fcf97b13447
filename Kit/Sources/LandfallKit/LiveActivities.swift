#if canImport(ActivityKit) && (os(iOS) || LANDFALL_STUBS)
    public import ActivityKit
    internal import Foundation
    internal import LandfallApp
    internal import LandfallCore

    @available(iOS 16.2, *)
    extension Landfall {
        /// Registers the tokens of this kind of Live Activity as long as the app runs: those that update one and, from iOS 17.2 on, the
        /// one that starts one. Call it at launch, once for each kind.
        public static func follow<Attributes: ActivityAttributes & Sendable>(activities _: Attributes.Type) {
            Task {
                for await activity in Activity<Attributes>.activityUpdates {
                    Task {
                        for await token in activity.pushTokenUpdates {
                            didRegister(deviceToken: token, kind: .liveActivityUpdate)
                        }
                    }
                }
            }
            guard #available(iOS 17.2, *) else { return }
            Task {
                for await token in Activity<Attributes>.pushToStartTokenUpdates {
                    didRegister(deviceToken: token, kind: .liveActivityStart)
                }
            }
        }
    }
#endif
