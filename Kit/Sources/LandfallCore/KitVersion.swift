/// The version of the kit, which every event and registration names.
public enum KitVersion {
    public static let current = "0.1.0"
}
