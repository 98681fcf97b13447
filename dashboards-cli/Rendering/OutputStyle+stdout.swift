internal import ArgumentParser

extension OutputStyle {
    /// How to draw on this stdout when no option says otherwise.
    static var stdout: OutputStyle {
        get throws { try OutputOptions.parse([]).style }
    }
}
