/// The names under which `landfall.setting` knows the token key, and the move to another.
enum ResealSetting {
    /// The mark of the key that everything is kept under; empty while everything is being moved.
    static let check = "token_key_check"
    /// While everything is being moved: the marks of the key before and of the key that comes.
    static let before = "token_key_before"
    static let next = "token_key_next"
    static let noKey: [UInt8] = []

    /// How far the rows of one kind have been moved.
    static func place(of rows: String) -> String { "token_key_place_\(rows)" }
}
