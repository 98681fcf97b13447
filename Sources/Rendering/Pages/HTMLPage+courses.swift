extension HTMLPage {
    /// The page with the courses of its numbers, taken from the same report broken down by time.
    package func taking(coursesOf other: HTMLPage) -> HTMLPage {
        let known = other.courses
        var page = self
        page.sections = sections.map { section in
            switch section {
            case .stages(var stages):
                stages.stages = stages.stages.map { stage in
                    var stage = stage
                    stage.course = known[stage.name] ?? []
                    return stage
                }
                return .stages(stages)
            case .figures(let figures):
                return .figures(
                    figures.map { figure in
                        var figure = figure
                        figure.course = known[figure.name] ?? []
                        return figure
                    })
            default: return section
            }
        }
        return page
    }

    /// The courses of stages and figures, by name.
    private var courses: [String: [Int64]] {
        let all = sections.flatMap { section -> [(String, [Int64])] in
            switch section {
            case .stages(let stages): stages.stages.map { ($0.name, $0.course) }
            case .figures(let figures): figures.map { ($0.name, $0.course) }
            default: []
            }
        }
        return Dictionary(all, uniquingKeysWith: { first, _ in first })
    }
}
