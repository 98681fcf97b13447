public enum LandfallVersion {
    /// Of both programs and of the HTTP interface.
    public static let current = "0.1.0"
}
