#if canImport(ActivityKit) && (os(iOS) || LANDFALL_STUBS)
    public import ActivityKit
    internal import Foundation
    internal import LandfallApp
    internal import LandfallCore

    @available(iOS 16.2, *)
    extension Landfall {
        /// Registers the tokens of this kind of Live Activity as long as the app runs: those that update one
        /// and, from iOS 17.2 on, the one that starts one. Call it at launch, once for each kind.
        public static func follow<Attributes: ActivityAttributes & Sendable>(activities _: Attributes.Type) {
            Task {
                for await activity in Activity<Attributes>.activityUpdates {
                    // Every running activity has its own token, which may change and dies with it.
                    Task {
                        var held: Registration.Token?
                        for await value in activity.pushTokenUpdates {
                            let current = Registration.Token(value, kind: .liveActivityUpdate)
                            replace(held, with: current)
                            held = current
                        }
                        replace(held, with: nil)
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
