internal import CLibFuzzer
internal import Foundation
internal import FuzzChecks

/// Usage: landfall-fuzz TARGET [options of libFuzzer]
@main
struct LandfallFuzz {
    static func main() {
        let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: "|")
        guard CommandLine.arguments.count > 1, let target = FuzzTarget(rawValue: CommandLine.arguments[1])
        else {
            FileHandle.standardError.write(Data("usage: landfall-fuzz \(names) [options] [corpus]\n".utf8))
            exit(64)
        }
        let rest = [CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2)
        var words: [UnsafeMutablePointer<CChar>?] = rest.map { strdup($0) } + [nil]
        var count = Int32(rest.count)
        words.withUnsafeMutableBufferPointer { buffer in
            var base = buffer.baseAddress
            exit(LLVMFuzzerRunDriver(&count, &base, target.callback))
        }
    }
}

extension FuzzTarget {
    /// A C function cannot capture anything, so each target has its own.
    fileprivate var callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32 {
        switch self {
        case .decoder: { LandfallFuzz.check(.decoder, $0, $1) }
        case .gzip: { LandfallFuzz.check(.gzip, $0, $1) }
        case .arrays: { LandfallFuzz.check(.arrays, $0, $1) }
        case .instants: { LandfallFuzz.check(.instants, $0, $1) }
        }
    }
}

extension LandfallFuzz {
    /// libFuzzer looks for crashes, so a failed check crashes: libFuzzer then saves the input.
    fileprivate static func check(_ target: FuzzTarget, _ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32
    {
        do {
            try target.check(Array(UnsafeBufferPointer(start: start, count: count)))
            return 0
        } catch {
            FileHandle.standardError.write(Data("\(target.rawValue): \(error)\n".utf8))
            abort()
        }
    }
}
