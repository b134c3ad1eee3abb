extension [String] {
    /// The texts with a separator between them. The standard library's `joined` needs generic metadata, which costs a tenth
    /// of podcastctl's run time.
    public func joinedText(_ separator: String) -> String {
        var result = ""
        for (index, text) in enumerated() {
            if index > 0 { result += separator }
            result += text
        }
        return result
    }
}
