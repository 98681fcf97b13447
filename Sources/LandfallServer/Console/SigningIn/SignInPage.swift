internal import People
internal import Rendering

enum SignInPage {
    static func passphrase(
        next: LocalPath, isLoopback: Bool, name: String = "", mistake: String? = nil
    ) -> ConsolePage {
        let focus: Markup.Attributes = ["autofocus": ""]
        return page("Sign in", mistake) {
            Tag("form")(["method": "post", "action": "/sign-in"]) {
                hidden("next", next.text)
                field(
                    "Name", "name", value: name,
                    ["autocomplete": "username", "required": "", "autocapitalize": "off"]
                        + (name.isEmpty ? focus : [:]))
                field(
                    "Passphrase", "passphrase", type: "password",
                    ["autocomplete": "current-password", "required": ""] + (name.isEmpty ? [:] : focus))
                button(class: "primary") { "Sign in" }
            }
            p(class: "fine") { "No account, or no passphrase? An operator gets you a one-time link:" }
            pre { code { "landfall person add you@example.com --role viewer" } }
            if !isLoopback {
                p(class: "fine") { "On this address, browsers keep the session only over HTTPS." }
            }
        }
    }

    static func newPassphrase(_ secret: Secret, for person: Person, mistake: String? = nil) -> ConsolePage {
        let rules: Markup.Attributes = [
            "autocomplete": "new-password", "required": "", "minlength": String(Passphrase.shortest),
        ]
        let name: Markup.Attributes = [
            "type": "text", "name": "name", "value": person.name, "hidden": "", "autocomplete": "username",
        ]
        return page("Choose a passphrase", mistake) {
            p {
                "For "
                Markup.name(person.name)
            }
            Tag("form")(["method": "post", "action": "/sign-in/link/\(secret.text)"]) {
                Markup.empty("input", name)
                field(
                    "Passphrase, at least \(Passphrase.shortest) characters", "passphrase",
                    type: "password", rules + ["autofocus": ""])
                field("Once more", "again", type: "password", rules)
                button(class: "primary") { "Save and sign in" }
            }
        }
    }

    static let usedLink = page("This link cannot be used", nil) {
        p { "A link works once, for a limited time. An operator gets you another one:" }
        pre { code { "landfall person link you@example.com" } }
        p { a(["href": "/sign-in"]) { "Sign in with a passphrase" } }
    }

    private static func page(
        _ title: String, _ mistake: String?, @MarkupBuilder _ content: () -> [Markup]
    ) -> ConsolePage {
        ConsolePage(title: title) {
            p(class: "brand") { "Landfall" }
            h1 { title }
            mistake.map(Markup.mistake)
            content()
        }
    }
}
