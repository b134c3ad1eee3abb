/// Tables that are texts of a program.
public enum WordTable {
    /// The meaning of each word. A line of the table has a meaning, a colon and its words.
    public static func values(_ table: String) -> [String: String] {
        var values: [String: String] = [:]
        for line in table.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            for word in parts[1].split(separator: " ") { values[String(word)] = String(parts[0]) }
        }
        return values
    }
}
