import Foundation
import SystemCalls
import TestSupport
import Testing

/// Documents from strangers: what `podcast-refresh inspect` does for one grows no faster than the document.
@Suite(.ownThread) struct InspectGrowthTests {
    private func expectLinear(_ document: HostileDocument, empty: String, _ arguments: String...) throws {
        try Growth.expectLinear(document, empty: empty) { path in
            Launch(
                Programs.path("podcast-refresh"), ["inspect", "--json"] + arguments + [path],
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
