package import JSON
package import Testing

/// How a program has ended, and what it has written.
package struct Outcome<Status: Equatable> {
    package let status: Status
    package let output: String
    package let errors: String
    package var json: JSONValue { (try? JSONValue(parsing: output)) ?? .null }

    package init(status: Status, output: String, errors: String) {
        (self.status, self.output, self.errors) = (status, output, errors)
    }
}

/// Expects that a program has ended with a status and has written some texts, among others.
package func expectOutcome<Status>(
    _ outcome: Outcome<Status>, _ status: Status, output: String..., errors: String...,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    expectEqual(outcome.status, status, "\(outcome)", sourceLocation: sourceLocation)
    for text in output { expectContains(outcome.output, text, sourceLocation: sourceLocation) }
    for text in errors { expectContains(outcome.errors, text, sourceLocation: sourceLocation) }
}
