import Presets
import Testing

@Suite struct PresetSecretTests {
    @Test(
        "a preset states the form of a secret if it checks signatures, and only then",
        arguments: Preset.all.map(\.name))
    func stated(_ name: String) throws {
        let preset = try #require(Preset.named(name))
        let post = PresetPost(
            headers: [:], body: Array("{}".utf8), secret: "user:key", now: PresetGolden.now)
        #expect((preset.read(post).fault != nil) == (preset.secretForm != nil))
        #expect(preset.accepts(secret: "user:key") == (preset.secretForm != nil))
    }

    @Test("Huawei's secret has a user name and a key")
    func huawei() throws {
        let preset = try #require(Preset.named("huawei"))
        #expect(preset.accepts(secret: "user:a:b"))
        for secret in ["", "key", "user:", ":key"] { #expect(!preset.accepts(secret: secret), "\(secret)") }
    }
}
