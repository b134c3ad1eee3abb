import Foundation
package import Testing

/// Compares text with a file beside the tests. `RECORD=1` writes the file again, and that run fails, so that no
/// recording passes unseen.
package func expectGolden(
    _ text: String, _ name: String, file: String = #filePath, at location: SourceLocation = #_sourceLocation
) {
    let url = URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent("Fixtures/\(name)")
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
        #expect(throws: Never.self, sourceLocation: location) { try Data(text.utf8).write(to: url) }
        Issue.record("recorded \(name)", sourceLocation: location)
        return
    }
    let expected = (try? Data(contentsOf: url)).map { String(decoding: $0, as: UTF8.self) }
    #expect(text == expected, "\(name) differs; look at it and record it with RECORD=1", sourceLocation: location)
}
