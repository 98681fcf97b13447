import Foundation
import Reports
import Testing

@testable import Rendering

/// The contrasts that WCAG 2.2 requires at level AA, computed from the style sheet.
@Suite("The colors of pages") struct PageColorTests {
    /// The values of one `:root` block: of light pages, dark ones, or print.
    private static let schemes = HTMLPage.styleSheet.matches(of: #/:root \{(.*?)\}/#.dotMatchesNewlines())
        .map { block in
            Dictionary(
                block.1.matches(of: #/--([a-z]+): #([0-9a-f]{3,6});/#).map { (String($0.1), String($0.2)) },
                uniquingKeysWith: { first, _ in first })
        }

    private static let texts = ["text", "aside", "good", "bad", "link"]
    private static let shapes = [
        "attempted", "accepted", "confirmed", "clicked", "caution", "trouble", "other",
    ]

    @Test("contrast by 4.5 in text and by 3 in shapes, on every ground, in light, dark and print")
    func contrasts() throws {
        #expect(Self.schemes.count == 3)
        for scheme in Self.schemes {
            for ground in ["card", "track"] {
                for (names, least) in [(Self.texts, 4.5), (Self.shapes, 3.0)] {
                    for name in names {
                        let contrast = try Self.contrast(
                            #require(scheme[name]), #require(scheme[ground]))
                        #expect(contrast >= least, "\(name) on \(ground): \(contrast)")
                    }
                }
            }
            for name in ["text", "aside"] {
                #expect(try Self.contrast(#require(scheme[name]), #require(scheme["paper"])) >= 4.5)
            }
        }
    }

    @Test("have one class for each meaning, which the style sheet knows")
    func classes() {
        for ink in Ink.allCases {
            #expect(HTMLPage.styleSheet.contains("\n.\(ink.pageClass) { --ink: "), "\(ink)")
        }
        #expect(Set(Ink.allCases.map(\.pageClass)).count == Ink.allCases.count)
    }

    private static func contrast(_ first: String, _ second: String) throws -> Double {
        let lights = try [luminance(first), luminance(second)].sorted()
        return (lights[1] + 0.05) / (lights[0] + 0.05)
    }

    /// The relative luminance of WCAG.
    private static func luminance(_ color: String) throws -> Double {
        let digits = color.count == 3 ? color.flatMap { [$0, $0] } : Array(color)
        let parts = try [0, 2, 4].map { start in
            let value = Double(try #require(Int(String(digits[start..<start + 2]), radix: 16))) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
}
