import Foundation
import Testing

@testable import LandfallCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct AttachmentFileTests {
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 0x10]

    @Test("a download is renamed by its type, and keeps its bytes")
    func renamed() throws {
        let folder = try TemporaryFolder()
        let download = folder.url.appendingPathComponent("CFNetworkDownload_a1.tmp")
        try Data(Self.jpeg).write(to: download)
        let url = try #require(URL(string: "https://example.com/picture"))
        let response = HTTPURLResponse(
            url: url, statusCode: 200, httpVersion: nil,
            headerFields: ["Content-Type": "application/octet-stream"])
        let named = try #require(AttachmentFile.named(download, response))
        #expect(named.pathExtension == "jpg")
        #expect(try Data(contentsOf: named) == Data(Self.jpeg))
        #expect(!FileManager.default.fileExists(atPath: download.path))
    }

    @Test("a file that a notification cannot show stays where it is, and so does a missing one")
    func refused() throws {
        let folder = try TemporaryFolder()
        let page = folder.url.appendingPathComponent("CFNetworkDownload_a2.tmp")
        try Data("<!DOCTYPE html>".utf8).write(to: page)
        #expect(AttachmentFile.named(page, nil) == nil)
        #expect(FileManager.default.fileExists(atPath: page.path))
        #expect(AttachmentFile.named(folder.url.appendingPathComponent("none.tmp"), nil) == nil)
    }

    @Test(
        "what a file contains counts more than what its server says",
        arguments: [
            (jpeg, "image/png", nil, "jpg"), ([0x89, 0x50, 0x4E, 0x47], nil, nil, "png"),
            (Array("GIF89a".utf8), nil, nil, "gif"), (Array("RIFF____WEBPVP8 ".utf8), nil, nil, "webp"),
            (Array("RIFF____WAVEfmt ".utf8), nil, nil, "wav"), (Array("____ftypheic".utf8), nil, nil, "heic"),
            (Array("____ftypM4A ".utf8), nil, nil, "m4a"), (Array("____ftypisom".utf8), nil, nil, "mp4"),
            (Array("ID3".utf8), nil, nil, "mp3"), ([0, 1], "video/mpeg", nil, "mpg"),
            ([0, 1], "IMAGE/JPEG", "a.png", "jpg"),
            ([0, 1], "application/octet-stream", "a.PNG", "png"), ([0, 1], nil, "a.jpeg", "jpeg"),
            ([0, 1], "text/html", "a.html", nil), ([], nil, nil, nil),
        ] as [([UInt8], String?, String?, String?)])
    func types(_ bytes: [UInt8], _ mimeType: String?, _ name: String?, _ type: String?) {
        #expect(AttachmentFile.pathExtension(beginning: bytes, mimeType: mimeType, name: name) == type)
    }
}
