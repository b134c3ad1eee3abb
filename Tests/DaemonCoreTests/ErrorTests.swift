@testable import DaemonCore
import ControlLanguage
import JSON
import Library
import MediaPorts
import Playback
import PodcastModel
import SystemCalls
import TestSupport
import Testing

@Suite struct ErrorTests {
    private struct Unheard: Error {}

    /// Failures of all parts, and the kinds of error that clients see.
    private static let codes: [(any Error, ControlError.Code)] = [
        (LibraryError.notFound("x"), .notFound),
        (LibraryError.ambiguous("x", of: .feed, candidates: []), .invalidArgument),
        (LibraryError.alreadySubscribed(FeedID(1)), .conflict), (LibraryError.refused("no"), .conflict),
        (LibraryError.newerSchema(found: 2, known: 1), .storageFailed), (LibraryError.diskFull, .storageFailed),
        (LibraryError.readOnly("/x"), .storageFailed), (LibraryError.busy, .unavailable),
        (LibraryError.damaged("x"), .storageFailed), (LibraryError.storage("x"), .storageFailed),
        (PlayerError.queueIsEmpty, .conflict), (PlayerError.shuttingDown, .unavailable),
        (MediaFailure(.network, "x"), .mediaFailed), (MediaFailure(.storage, "x"), .storageFailed),
        (ChoiceFailure.noPlaylist("x"), .notFound), (ChoiceFailure.unsupportedURL, .invalidArgument),
        (ChoiceFailure.emptyFeed, .feedFailed),
        (SystemError(code: 11, call: "clone"), .unavailable), (SystemError(code: 5, call: "read"), .internalError),
        (CancellationError(), .unavailable), (Unheard(), .internalError),
    ]

    @Test(arguments: codes.indices)
    func eachFailureHasTheKindThatClientsTellApart(index: Int) {
        let (error, code) = Self.codes[index]
        expectEqual(ControlError(reporting: error).code, code, "\(error)")
    }

    @Test func anErrorOfTheProtocolStaysAsItIs() {
        let error = ControlError(.conflict, "what", hint: "hint")
        expectEqual(ControlError(reporting: error), error)
    }

    @Test(arguments: [
        (74 as Int32?, ControlError.Code.storageFailed), (75, .unavailable), (65, .feedFailed), (nil, .internalError),
    ])
    func theExitStatusOfARefreshSaysWhetherAnotherAttemptMayHelp(status: Int32?, code: ControlError.Code) {
        let outcome = RefreshOutcome(document: .null, complaint: "its message", status: status)
        expectEqual(ControlError(outcome), ControlError(code, "its message"))
        expectEqual(ControlError(outcome, "a better one").what, "a better one")
    }

    @Test func aServerThatRefusesHasAStatusOfItsOwn() {
        let outcome = RefreshOutcome(document: .null, complaint: "not found (HTTP 404)", status: 69)
        let error = ControlError(outcome)
        #expect(error.code == .feedFailed && error.status == 69)
        expectEqual(ControlError(json: error.json), error)
    }
}
