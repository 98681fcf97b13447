/// The names in `landfall.setting` for the token key and for the move to another.
enum ResealSetting {
    /// The check value of the key with which everything is sealed; empty during a move.
    static let check = "token_key_check"
    /// During a move: the check values of the old key and of the new one.
    static let before = "token_key_before"
    static let next = "token_key_next"
    static let noKey: [UInt8] = []

    /// The position of the move in the rows of one kind.
    static func place(of rows: String) -> String { "token_key_place_\(rows)" }
}
