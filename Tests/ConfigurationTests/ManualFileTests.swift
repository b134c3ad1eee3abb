import Configuration
import Foundation
import Testing
import TestSupport

/// The files that are made from the declarations. `RECORD=1` records them again; that run fails, so that it cannot go unnoticed.
@Suite struct ManualFileTests {
    private static let checkout = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test(arguments: [
        ("etc/podcastd.conf", SettingsManual.configFile), ("docs/podcastd.conf.5", SettingsManual.manualPage),
    ])
    func theRecordedFileMatchesTheDeclarations(path: String, text: String) throws {
        let file = Self.checkout.appending(path: path)
        if ProcessInfo.processInfo.environment["RECORD"] == "1" {
            try text.write(to: file, atomically: true, encoding: .utf8)
            Issue.record("recorded \(path)")
            return
        }
        let recorded = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        expectEqual(recorded, text, "\(path) differs; look at it and record it with RECORD=1")
    }
}
