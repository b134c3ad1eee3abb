import ControlLanguage
import ControlProtocol
import PodcastModel
import SystemCalls
import TestSupport
import Testing

@testable import SyncGateway

/// A synchronization with a server that lists a feed and then its episodes.
struct ChangePassTests {
    private static let feed = "https://feeds.example/show"

    private final class Library: ChangeLibrary {
        var commands: [ApplyChanges] = []

        func list(_ command: ListChanges) -> ChangePage { ChangePage() }
        func apply(_ command: ApplyChanges) -> AppliedChanges {
            commands.append(command)
            return AppliedChanges { $0.changed = command.changes.count }
        }
    }

    private final class Server: SyncPeer {
        let clockOffset: Int64 = 0
        let kinds: [LibraryChange.Kind] = []

        func changes(
            since: Int64, untimed: Timestamp, isDryRun: Bool, apply: (ListedChanges) throws(SyncFailure) -> Void
        ) throws(SyncFailure) -> ServerList {
            let episode = ChangedEpisode(feed: feed, EpisodeIdentity(url: "https://media.example/1.mp3"))
            for content in [.subscription(feed: feed, isSet: true), .star(episode, true)] as [ChangeContent] {
                try apply(ListedChanges(device: "phone", changes: [LibraryChange(content, at: untimed, in: "phone")]))
            }
            return .read(revision: 1)
        }

        func send(_ command: ApplyChanges) -> AppliedChanges { AppliedChanges() }
    }

    @Test(arguments: [true, false]) func onlyADryRunNamesTheFeedsOfEarlierCommands(isDryRun: Bool) throws {
        let library = Library()
        var pass = ChangePass(SyncAccount(), library, Server(), isDryRun: isDryRun)
        #expect(try !pass.run(isAgreed: true))
        expectEqual(library.commands.map(\.feeds), [[], isDryRun ? [Self.feed] : []])
        // The first exchange is still to come.
        expectEqual(pass.account.serverRevision, isDryRun ? 0 : 1)
    }

    /// Lists these feeds, then others at each further request.
    private final class GrowingServer: SyncPeer {
        let clockOffset: Int64 = 0
        let kinds: [LibraryChange.Kind] = []
        private var lists: [ClosedRange<Int>]
        private let isSet: Bool

        init(_ lists: [ClosedRange<Int>], isSet: Bool = true) {
            self.lists = lists
            self.isSet = isSet
        }

        func changes(
            since: Int64, untimed: Timestamp, isDryRun: Bool, apply: (ListedChanges) throws(SyncFailure) -> Void
        ) throws(SyncFailure) -> ServerList {
            let feeds = lists.removeFirst().map { "https://feeds.example/\($0)" }
            try apply(
                ListedChanges(
                    device: "phone",
                    changes: feeds.map {
                        LibraryChange(.subscription(feed: $0, isSet: isSet), at: untimed, in: "phone")
                    }))
            return .read(revision: 2)
        }

        func send(_ command: ApplyChanges) -> AppliedChanges { AppliedChanges() }
    }

    private var known: SyncAccount {
        var account = SyncAccount()
        (account.serverRevision, account.sentRevision) = (1, 1)
        return account
    }

    @Test func aServerCannotListOtherFeedsAfterTheDryRun() throws {
        let library = Library()
        var pass = ChangePass(known, library, GrowingServer([1...51, 1...10, 1...60]), isDryRun: false)
        #expect(throws: SyncFailure.self) { try pass.run(isAgreed: false) }
        expectEqual(library.commands.map(\.isDryRun), [true])
    }

    @Test func removalsOfManyFeedsNeedConsentToo() throws {
        let library = FeedCounter()
        var pass = ChangePass(known, library, GrowingServer([1...51, 1...51], isSet: false), isDryRun: false)
        #expect(try pass.run(isAgreed: false))
        expectEqual(library.commands.map(\.isDryRun), [true])
    }

    private final class FeedCounter: ChangeLibrary {
        var commands: [ApplyChanges] = []

        func list(_ command: ListChanges) -> ChangePage { ChangePage() }
        func apply(_ command: ApplyChanges) -> AppliedChanges {
            commands.append(command)
            return AppliedChanges {
                $0.changed = command.changes.count
                $0.feeds = command.changes.count
            }
        }
    }

    /// Has forgotten removals, and then lists a star.
    private final class ForgetfulServer: SyncPeer {
        let clockOffset: Int64 = 0
        let kinds: [LibraryChange.Kind] = []
        var asked: [Int64] = []
        var untimed: [Timestamp] = []

        func changes(
            since: Int64, untimed: Timestamp, isDryRun: Bool, apply: (ListedChanges) throws(SyncFailure) -> Void
        ) throws(SyncFailure) -> ServerList {
            asked.append(since)
            self.untimed.append(untimed)
            if since > 0 { return .forgotten }
            let episode = ChangedEpisode(feed: feed, EpisodeIdentity(url: "https://media.example/1.mp3"))
            try apply(
                ListedChanges(
                    device: "kitchen", changes: [LibraryChange(.star(episode, true), at: untimed, in: "kitchen")]))
            return .read(revision: 9)
        }

        func send(_ command: ApplyChanges) -> AppliedChanges { AppliedChanges() }
    }

    /// Has a change that it lists, so that both sides have something.
    private final class OwnLibrary: ChangeLibrary {
        var commands: [ApplyChanges] = []

        func list(_ command: ListChanges) -> ChangePage {
            ChangePage { $0.changes = [LibraryChange(.speed("1.5"), at: Timestamp(seconds: 1), in: "here")] }
        }

        func apply(_ command: ApplyChanges) -> AppliedChanges {
            commands.append(command)
            return AppliedChanges { $0.changed = command.changes.count }
        }
    }

    @Test func afterForgottenRemovalsTheUserIsAskedAsAtTheFirstTime() throws {
        let (library, server) = (OwnLibrary(), ForgetfulServer())
        var pass = ChangePass(known, library, server, isDryRun: false)
        #expect(try pass.run(isAgreed: false))
        expectEqual(server.asked, [1, 0])
        expectEqual(library.commands.map(\.isDryRun), [true])
        var agreed = ChangePass(known, library, server, isDryRun: false)
        #expect(try !agreed.run(isAgreed: true))
        expectEqual(server.asked, [1, 0, 1, 0])
        expectEqual(library.commands.last?.isFirst, true)
        expectEqual(agreed.account.serverRevision, 9)
    }

    @Test func aChangeWithoutATimeIsLaterThanWhatWasSent() throws {
        var account = known
        account.sentRevision = 7
        let server = ForgetfulServer()
        var pass = ChangePass(account, OwnLibrary(), server, isDryRun: false)
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
