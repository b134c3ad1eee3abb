/// A number and what it counts: `1 feed`, `2 feeds`.
struct Count: CustomStringConvertible {
    let description: String

    init(_ number: Int, _ singular: String, _ plural: String? = nil) {
        description = "\(number) \(number == 1 ? singular : plural ?? singular + "s")"
    }
}
