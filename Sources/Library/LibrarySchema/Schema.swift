/// The tables, indexes and triggers of a library, by subject.
enum Schema {
    /// Creates the complete schema in an empty file.
    static let script = [feeds, episodes, counters, listening, rules, search, identity, undo].joined(separator: "\n")
}
