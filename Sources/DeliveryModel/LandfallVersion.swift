public enum LandfallVersion {
    /// The version of both programs and of the HTTP interface.
    public static let current = "0.1.0"
}
