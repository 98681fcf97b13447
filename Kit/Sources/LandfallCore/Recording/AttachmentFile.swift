public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A downloaded file under the name that iOS needs: iOS takes the type of an attachment from the file's
/// extension, and rejects the `.tmp` of `URLSession`'s downloads.
public enum AttachmentFile {
    /// Renames the file by its type.
    ///
    /// - Parameter response: the response that it came with.
    /// - Returns: the file's new place, next to the old one; `nil` if a notification cannot show its type, or
    ///   the file cannot be renamed.
    public static func named(_ file: URL, _ response: URLResponse?) -> URL? {
        guard let handle = try? FileHandle(forReadingFrom: file) else { return nil }
        let beginning = (try? handle.read(upToCount: 16)) ?? Data()
        try? handle.close()
        guard
            let type = pathExtension(
                beginning: Array(beginning), mimeType: response?.mimeType, name: response?.suggestedFilename)
        else { return nil }
        let named = file.deletingLastPathComponent().appendingPathComponent("\(UUID().uuidString).\(type)")
        do {
            try FileManager.default.moveItem(at: file, to: named)
            return named
        } catch {
            return nil
        }
    }

    /// The file extension by the content or, if that is not known, by the server's response. Pure.
    ///
    /// - Parameters:
    ///   - beginning: its first 16 bytes.
    ///   - name: the name that the server suggests.
    static func pathExtension(beginning: [UInt8], mimeType: String?, name: String?) -> String? {
        if let known = byContent(beginning) { return known }
        if let known = mimeType.flatMap({ byMIMEType[$0.lowercased()] }) { return known }
        let suggested = name.map { ($0 as NSString).pathExtension.lowercased() }
        return suggested.flatMap { Set(byMIMEType.values).contains($0) || $0 == "jpeg" ? $0 : nil }
    }

    private static func byContent(_ bytes: [UInt8]) -> String? {
        let signatures: [(type: String, start: [UInt8], offset: Int, inner: String)] = [
            ("jpg", [0xFF, 0xD8, 0xFF], 0, ""), ("png", [0x89, 0x50, 0x4E, 0x47], 0, ""),
            ("gif", Array("GIF8".utf8), 0, ""),
            ("webp", Array("RIFF".utf8), 8, "WEBP"), ("wav", Array("RIFF".utf8), 8, "WAVE"),
            ("avi", Array("RIFF".utf8), 8, "AVI "), ("aiff", Array("FORM".utf8), 8, "AIF"),
            ("mp3", Array("ID3".utf8), 0, ""), ("heic", [], 4, "ftyphei"), ("m4a", [], 4, "ftypM4A"),
            ("mp4", [], 4, "ftyp"),
        ]
        return signatures.first { signature in
            bytes.starts(with: signature.start)
                && bytes.dropFirst(signature.offset).starts(with: signature.inner.utf8)
        }?.type
    }

    private static let byMIMEType = [
        "image/jpeg": "jpg", "image/jpg": "jpg", "image/png": "png", "image/gif": "gif", "image/webp": "webp",
        "image/heic": "heic", "audio/aiff": "aiff", "audio/x-aiff": "aiff", "audio/wav": "wav",
        "audio/x-wav": "wav",
        "audio/vnd.wave": "wav", "audio/mpeg": "mp3", "audio/mp3": "mp3", "audio/mp4": "m4a",
        "audio/x-m4a": "m4a",
        "video/mpeg": "mpg", "video/mp4": "mp4", "video/x-m4v": "mp4", "video/x-msvideo": "avi",
        "video/avi": "avi",
    ]
}
