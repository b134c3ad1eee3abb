/// A number with its noun: `1 feed`, `2 feeds`, `2 entries`.
public func counted(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
}

extension String {
    /// The text between quotation marks, with a backslash before each quotation mark and backslash.
    public var quoted: String {
        "\"" + unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "\""
    }
}
