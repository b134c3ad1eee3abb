package import Testing

/// Records an issue with both values if they differ.
///
/// The macro `#expect(actual == expected)` does the same, but takes the compiler several times as long.
package func expectEqual<Value: Equatable>(
    _ actual: Value, _ expected: Value, _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    if actual == expected { return }
    Issue.record(
        "\(String(reflecting: actual)) is not \(String(reflecting: expected))\(suffix(comment()))",
        sourceLocation: sourceLocation)
}

/// Records an issue with the text unless the text contains the part.
package func expectContains(
    _ text: String, _ part: String, _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    if text.contains(part) { return }
    Issue.record(
        "\(String(reflecting: text)) does not contain \(String(reflecting: part))\(suffix(comment()))",
        sourceLocation: sourceLocation)
}

/// Records an issue with the elements unless one of the elements equals the value.
package func expectContains<Elements: Sequence>(
    _ elements: Elements, _ value: Elements.Element, _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) where Elements.Element: Equatable {
    if elements.contains(value) { return }
    Issue.record(
        "\(elements) does not contain \(String(reflecting: value))\(suffix(comment()))", sourceLocation: sourceLocation)
}

private func suffix(_ comment: Comment?) -> String { comment.map { ": \($0.rawValue)" } ?? "" }
