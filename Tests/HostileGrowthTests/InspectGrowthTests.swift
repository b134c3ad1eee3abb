import Foundation
import SystemCalls
import TestSupport
import Testing

/// Documents from strangers: what `podcast-refresh inspect` does for one grows no faster than the document.
@Suite(.ownThread) struct InspectGrowthTests {
    /// The folder of the test bundle, where the package manager puts the programs too.
    private static let folder: String = {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? "/proc/self/exe"
        let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: bundle)) ?? bundle
        return URL(filePath: path).deletingLastPathComponent().path
    }()

    private func expectLinear(_ document: HostileDocument, empty: String, _ arguments: String...) throws {
        try Growth.expectLinear(document, empty: empty) { path in
            Launch(
                Self.folder + "/podcast-refresh", ["inspect", "--json"] + arguments + [path],
                environment: ["PATH=/usr/bin:/bin", "HOME=/nonexistent"])
        }
    }

    @Test(arguments: HostileFeeds.all)
    func aFeed(_ document: HostileDocument) throws {
        try expectLinear(document, empty: HostileFeeds.empty, "--kind", "feed")
    }

    @Test(arguments: HostileNotes.all)
    func notes(_ document: HostileDocument) throws {
        try expectLinear(document, empty: HostileFeeds.empty, "--kind", "feed")
    }

    @Test(arguments: HostileLists.opml)
    func aListOfFeeds(_ document: HostileDocument) throws {
        try expectLinear(document, empty: "<opml><body/></opml>", "--kind", "opml")
    }

    @Test(arguments: HostileLists.transcripts)
    func aTranscript(_ document: HostileDocument) throws {
        try expectLinear(document, empty: "WEBVTT", "--kind", "transcript")
    }
}
