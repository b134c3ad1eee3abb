/// The tables, indexes and triggers of a library, by subject.
enum Schema {
    /// Creates all of it in an empty file.
    static let script = [feeds, episodes, counters, listening, rules, search, identity, undo].joined(separator: "\n")

    /// Whether a position counts as progress: SQL about a row of `episode`. Times are milliseconds.
    static func isInProgress(_ position: String) -> String {
        """
        (\(position) * 100 >= iif(coalesce(measured_duration, duration) BETWEEN 1 AND 3000000,
                coalesce(measured_duration, duration), 3000000))
        """
    }
}
