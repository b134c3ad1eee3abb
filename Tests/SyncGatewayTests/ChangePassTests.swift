import ControlLanguage
import ControlProtocol
import PodcastModel
import SystemCalls
import TestSupport
import Testing

@testable import SyncGateway

/// Synchronizations with a server that lists what a test says.
struct ChangePassTests {
    private static let feed = "https://feeds.example/show"

    private static func star(_ number: Int) -> ChangeContent {
        .star(ChangedEpisode(feed: feed, EpisodeIdentity(url: "https://media.example/\(number).mp3")), true)
    }

    private static func feeds(_ numbers: ClosedRange<Int>, isSet: Bool = true) -> [ChangeContent] {
        numbers.map { .subscription(feed: "https://feeds.example/\($0)", isSet: isSet) }
    }

    private final class Library: ChangeLibrary {
        var commands: [ApplyChanges] = []
        private let own: [LibraryChange]

        init(own: [LibraryChange] = []) { self.own = own }

        func list(_ command: ListChanges) -> ChangePage { ChangePage { $0.changes = own } }

        func apply(_ command: ApplyChanges) -> AppliedChanges {
            commands.append(command)
            return AppliedChanges {
                $0.changed = command.changes.count
                $0.feeds = command.changes.filter { $0.subject.kind == .subscription }.count
            }
        }
    }

    private final class Server: SyncPeer {
        let clockOffset: Int64 = 0
        let kinds: [LibraryChange.Kind] = []
        var asked: [Int64] = []
        var untimed: [Timestamp] = []
        /// The pieces of each list.
        private var lists: [[[ChangeContent]]]
        private let isForgetful: Bool

        /// - Parameter isForgetful: whether removals are forgotten that were not read.
        init(_ lists: [[ChangeContent]]..., isForgetful: Bool = false) {
            self.lists = lists
            self.isForgetful = isForgetful
        }

        func changes(
            since: Int64, untimed: Timestamp, isDryRun: Bool, apply: (ListedChanges) throws(SyncFailure) -> Void
        ) throws(SyncFailure) -> ServerList {
            asked.append(since)
            self.untimed.append(untimed)
            if isForgetful, since > 0 { return .forgotten }
            for piece in lists.removeFirst() {
                try apply(ListedChanges(changes: piece.map { LibraryChange($0, at: untimed, in: "phone") }))
            }
            return .read(revision: 9)
        }

        func send(_ command: ApplyChanges) -> AppliedChanges { AppliedChanges() }
    }

    private func known(sent revision: Int64 = 1) -> SyncAccount {
        var account = SyncAccount()
        account.serverRevision = 1
        account.sentRevision = revision
        return account
    }

    @Test(arguments: [true, false]) func onlyADryRunNamesTheFeedsOfEarlierCommandsAndEachOnce(isDryRun: Bool) throws {
        let library = Library()
        let server = Server([[.subscription(feed: Self.feed, isSet: true)], [Self.star(1), Self.star(2)]])
        var pass = ChangePass(SyncAccount(), library, server, isDryRun: isDryRun)
        #expect(try !pass.run(isAgreed: true))
        expectEqual(library.commands.map(\.feeds), [[], isDryRun ? [Self.feed] : []])
        // The first exchange is still to come.
        expectEqual(pass.account.serverRevision, isDryRun ? 0 : 9)
    }

    @Test func aServerCannotListOtherFeedsAfterTheDryRun() throws {
        let library = Library()
        let server = Server([Self.feeds(1...51)], [Self.feeds(1...10)], [Self.feeds(1...60)])
        var pass = ChangePass(known(), library, server, isDryRun: false)
        #expect(throws: SyncFailure.self) { try pass.run(isAgreed: false) }
        expectEqual(library.commands.map(\.isDryRun), [true])
    }

    @Test func removalsOfManyFeedsNeedConsentToo() throws {
        let library = Library()
        let removals = [Self.feeds(1...51, isSet: false)]
        var pass = ChangePass(known(), library, Server(removals, removals), isDryRun: false)
        #expect(try pass.run(isAgreed: false))
        expectEqual(library.commands.map(\.isDryRun), [true])
    }

    /// A library with a change that it lists, so that both sides have something.
    private var used: Library { Library(own: [LibraryChange(.speed("1.5"), at: Timestamp(seconds: 1), in: "here")]) }

    @Test func afterForgottenRemovalsTheUserIsAskedAsAtTheFirstTime() throws {
        let library = used
        let server = Server([[Self.star(1)]], [[Self.star(1)]], isForgetful: true)
        var pass = ChangePass(known(), library, server, isDryRun: false)
        #expect(try pass.run(isAgreed: false))
        expectEqual(server.asked, [1, 0])
        expectEqual(library.commands.map(\.isDryRun), [true])
        var agreed = ChangePass(known(), library, server, isDryRun: false)
        #expect(try !agreed.run(isAgreed: true))
        expectEqual(server.asked, [1, 0, 1, 0])
        expectEqual(library.commands.last?.isFirst, true)
        expectEqual(agreed.account.serverRevision, 9)
    }

    @Test func aChangeWithoutATimeIsLaterThanWhatWasSent() throws {
        let server = Server([[Self.star(1)]])
        var pass = ChangePass(known(sent: 7), used, server, isDryRun: false)
        _ = try pass.run(isAgreed: true)
        expectEqual(server.untimed.first, Timestamp(milliseconds: 8))
    }

    @Test func aServerAddsFiftyFeedsADayWithoutConsent() {
        let start = Instant.now
        var allowance = ServerAllowance(at: start)
        allowance.record(feeds: 48)
        expectEqual(allowance.feedsLeft(at: start + .seconds(86_000)), 2)
        allowance.record(feeds: 7)
        expectEqual(allowance.feedsLeft(at: start + .seconds(86_400)), 0)
        expectEqual(allowance.feedsLeft(at: start + .seconds(86_401)), 50)
    }

    @Test func afterARefusalEverythingIsExchangedUntilAnAgreedExchangeHasNone() {
        var allowance = ServerAllowance(at: .now)
        allowance.record(isRefused: true, isAgreed: false)
        allowance.record(isRefused: false, isAgreed: false)
        #expect(allowance.isWhole)
        allowance.record(isRefused: false, isAgreed: true)
        #expect(!allowance.isWhole)
    }
}
