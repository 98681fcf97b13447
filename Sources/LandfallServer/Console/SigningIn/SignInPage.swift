internal import People
internal import Rendering

/// The pages of people who are not signed in.
enum SignInPage {
    static func passphrase(
        next: LocalPath, isLoopback: Bool, name: String = "", mistake: String? = nil
    ) -> ConsolePage {
        let focus: Markup.Attributes = ["autofocus": ""]
        return page(
            "Sign in", mistake,
            [
                .element(
                    "form", ["method": "post", "action": "/sign-in"],
                    [
                        .hidden("next", next.text),
                        .field(
                            "Name", "name", value: name,
                            ["autocomplete": "username", "required": "", "autocapitalize": "off"]
                                + (name.isEmpty ? focus : [:])),
                        .field(
                            "Passphrase", "passphrase", type: "password",
                            ["autocomplete": "current-password", "required": ""]
                                + (name.isEmpty ? [:] : focus)),
                        .element("button", ["class": "primary"], "Sign in"),
                    ]),
                .element(
                    "p", ["class": "fine"],
                    "No account, or no passphrase? An operator gets you a one-time link:"),
                .element(
                    "pre", [:], [.element("code", [:], "landfall person add you@example.com --role viewer")]),
            ]
                + (isLoopback
                    ? []
                    : [
                        .element(
                            "p", ["class": "fine"],
                            "On this address, browsers keep the session only over HTTPS.")
                    ]))
    }

    static func newPassphrase(_ secret: Secret, for person: Person, mistake: String? = nil) -> ConsolePage {
        let rules: Markup.Attributes = [
            "autocomplete": "new-password", "required": "", "minlength": String(Passphrase.shortest),
        ]
        return page(
            "Choose a passphrase", mistake,
            [
                .element("p", [:], [Markup("For "), .name(person.name)]),
                .element(
                    "form", ["method": "post", "action": "/sign-in/link/\(secret.text)"],
                    [
                        .empty(
                            "input",
                            [
                                "type": "text", "name": "name", "value": person.name, "hidden": "",
                                "autocomplete": "username",
                            ]),
                        .field(
                            "Passphrase, at least \(Passphrase.shortest) characters", "passphrase",
                            type: "password", rules + ["autofocus": ""]),
                        .field("Once more", "again", type: "password", rules),
                        .element("button", ["class": "primary"], "Save and sign in"),
                    ]),
            ])
    }

    static let usedLink = page(
        "This link cannot be used", nil,
        [
            .element(
                "p", [:],
                "A link works once, for a limited time. An operator gets you another one:"),
            .element("pre", [:], [.element("code", [:], "landfall person link you@example.com")]),
            .element("p", [:], [.link(to: "/sign-in", Markup("Sign in with a passphrase"))]),
        ])

    private static func page(_ title: String, _ mistake: String?, _ content: [Markup]) -> ConsolePage {
        ConsolePage(
            title,
            [
                .element("p", ["class": "brand"], "Landfall"), .element("h1", [:], title),
            ] + [mistake.map(Markup.mistake)].compactMap(\.self) + content)
    }
}
