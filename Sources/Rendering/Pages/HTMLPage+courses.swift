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
                    stage.course = known[stage.id] ?? []
                    return stage
                }
                return .stages(stages)
            case .figures(let figures):
                return .figures(
                    figures.map { figure in
                        var figure = figure
                        figure.course = figure.id.flatMap { known[$0] } ?? []
                        return figure
                    })
            default: return section
            }
        }
        return page
    }

    /// The courses of stages and figures, by id.
    private var courses: [String: [Int64]] {
        let all = sections.flatMap { section -> [(String, [Int64])] in
            switch section {
            case .stages(let stages): stages.stages.map { ($0.id, $0.course) }
            case .figures(let figures):
                figures.compactMap { figure in figure.id.map { ($0, figure.course) } }
            default: []
            }
        }
        return Dictionary(all, uniquingKeysWith: { first, _ in first })
    }
}
