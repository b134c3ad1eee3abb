/// The tables, indexes and triggers of a library, by subject.
enum Schema {
    /// Creates the complete schema in an empty file.
    static let script = [feeds, episodes, counters, listening, rules, search, identity, undo].joined(separator: "\n")

    /// SQL: true if a position of a row of `episode` counts as progress. Times are in milliseconds.
    static func isInProgress(_ position: String) -> String {
        """
        (\(position) * 100 >= iif(coalesce(measured_duration, duration) BETWEEN 1 AND 3000000,
                coalesce(measured_duration, duration), 3000000))
        """
    }
}
