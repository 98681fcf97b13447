internal import DeliveryModel
internal import Reports

/// Stages of which each is a part of another: one picture that narrows, with each number once.
package struct PageStages {
    struct Stage {
        let id: String
        let name: String
        let value: String
        let ink: Ink
        /// Shares of other stages, the nearest first.
        let shares: [(share: Proportion, of: String)]
        let isDoubtful: Bool
        /// As a fraction of the largest stage.
        let size: Double
        /// The size of the next stage, if that one is a part of this one.
        var next: Double?
        /// The change of the value.
        var growth: PageChange?
        /// The change of the first share.
        var change: PageChange?
        /// The numbers of a sparkline.
        var course: [Int64] = []
    }

    let title: String
    let caption: String
    var stages: [Stage]

    func card(id: String, _ links: PageLinks) -> Markup {
        .card(
            id, title,
            [
                .element("p", ["class": "caption"], caption),
                .element("ol", ["class": "stages"], stages.map { item($0, links) }),
            ])
    }

    private func item(_ stage: Stage, _ links: PageLinks) -> Markup {
        let shares = stage.shares.enumerated().map { position, share in
            Markup.element(
                "p", ["class": position == 0 ? "share first" : "share"],
                [
                    share.share.markup(
                        isDoubtful: stage.isDoubtful && position == 0, hasInterval: position == 0),
                    Markup(" of \(share.of)"),
                ])
        }
        let words: [Markup] =
            [
                .element("p", ["class": "name"], [.link(to: links.glossary(stage.id), Markup(stage.name))]),
                .element(
                    "p", ["class": "value"],
                    [Markup(stage.value), stage.growth?.markup("span")].compactMap(\.self)),
            ] + shares.prefix(1) + [stage.change?.markup("p")].compactMap(\.self) + shares.dropFirst()
        return .element(
            "li", ["class": "stage \(stage.ink.pageClass)"],
            [
                .element("div", ["class": "words"], words),
                PageFigure.sparkline(stage.course, stage.ink) ?? .element("div", ["class": "sparkline"]),
                Self.flow(stage), Self.bar(stage),
            ])
    }

    /// On a wide page: a block as high as the stage, and its narrowing to the next one.
    private static func flow(_ stage: Stage) -> Markup {
        let (top, bottom) = edges(stage.size)
        let block = Markup.shape(
            "rect", ["x": "0", "y": top, "width": "600", "height": PlotScale.pixels(height(stage.size))])
        let slope = stage.next.map { next -> Markup in
            let (lower, end) = edges(next)
            return .shape(
                "path",
                [
                    "class": "slope",
                    "d":
                        "M600 \(top)C800 \(top) 800 \(lower) 1000 \(lower)L1000 \(end)C800 \(end) 800 \(bottom) 600 \(bottom)Z",
                ])
        }
        return .picture("flow", height: 120, isStretched: true, [block, slope].compactMap(\.self))
    }

    private static func height(_ size: Double) -> Double { max(12, size * 1_000) }

    private static func edges(_ size: Double) -> (top: String, bottom: String) {
        let height = height(size)
        return (PlotScale.pixels((1_000 - height) / 2), PlotScale.pixels((1_000 + height) / 2))
    }

    /// On a narrow page.
    private static func bar(_ stage: Stage) -> Markup {
        .picture(
            "length", height: 10,
            [
                .shape("rect", ["class": "track", "width": "100%", "height": "10", "rx": "3"]),
                .shape("rect", ["width": percentage(max(0.006, stage.size)), "height": "10", "rx": "3"]),
            ])
    }
}

extension Proportion {
    /// The share, and its 95 % interval less prominently.
    func markup(isDoubtful: Bool = false, hasInterval: Bool = true) -> Markup {
        guard let value else { return Markup(OutputStyle.page.nothing) }
        let mark = isDoubtful ? " !" : ""
        guard hasInterval, let interval else { return Markup("\(percent(value)) %\(mark)") }
        return Markup([
            .element("strong", [:], "\(percent(value)) %\(mark)"),
            .element(
                "span", ["class": "interval"],
                "(\(percent(interval.lowerBound))–\(percent(interval.upperBound)))"),
        ])
    }
}
