internal import Rendering

extension Remark {
    init(_ name: String, _ count: Int64, _ meaning: String) {
        self.init(name: name, value: grouped(count), meaning: meaning)
    }
}
