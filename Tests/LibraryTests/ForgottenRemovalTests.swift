@testable import Library
import PodcastModel
import SQLite
import SystemCalls
import TestSupport
import Testing

/// The log forgets old removals, and asks for everything again if there are more kinds of changes.
@Suite struct ForgottenRemovalTests {
    private let library: TemporaryLibrary
    private let store: LibraryStore
    private let later = Timestamp.now.adding(days: 181)

    init() throws {
        (library, store) = try openLibrary()
        _ = try store.addFeed(items: (1...3).map { item($0) })
    }

    private func account(_ revision: Int64) -> SyncAccount {
        var account = SyncAccount()
        account.name = "home"
        account.serverRevision = revision
        account.sentRevision = revision
        return account
    }

    private var removals: Int {
        get throws { try store.changes.page(since: 0, limit: 99).changes.count { $0.value == nil } }
    }
    private var latest: Int64 { get throws { try store.changes.page(since: 0, limit: 1).latest } }

    /// Removes a star and a tag, and keeps another star.
    private func remove() throws {
        let ids = try store.all().map(\.id)
        try store.episodes.setStarred(true, ids)
        let feed = try #require(try store.feeds.feeds().first).id
        try store.imports.setTags(["News"], of: feed)
        try store.imports.setTags([], of: feed)
        try store.episodes.setStarred(false, [ids[0]])
    }

    @Test func removalsAreForgottenAfterHalfAYearAndNothingElseIs() throws {
        try remove()
        try store.changes.prune(at: .now.adding(days: 179))
        try expectEqual(removals, 2)
        let kept = try store.changes.page(since: 0, limit: 99).changes.filter { $0.value != nil }
        try store.changes.prune(at: later)
        try expectEqual(store.changes.page(since: 0, limit: 99).changes, kept)
    }

    @Test func whoHasNotReadForgottenRemovalsBeginsFromNothing() throws {
        let before = try latest
        for reader in ["away", "here"] {
            try #expect(store.changes.recordReader(reader, since: 0, through: before) == .known)
        }
        var synchronized = account(before)
        synchronized.lastSync = .now
        _ = try store.sync.save(synchronized)
        try remove()
        try #expect(store.changes.recordReader("here", since: before, through: latest) == .known)
        try store.changes.prune(at: later)
        try #expect(store.changes.recordReader("here", since: latest, through: latest) == .known)
        try #expect(store.changes.recordReader("away", since: before, through: latest) == .forgotten)
        try #expect(store.changes.recordReader("away", since: before, through: latest) == .forgotten)
        try #expect(store.changes.recordReader("away", since: 0, through: latest) == .known)
        try #expect(store.changes.recordReader("away", since: latest, through: latest) == .known)
        // podcast-sync may still have the former revisions.
        try expectEqual(store.sync.save(account(before)).serverRevision, 0)
        try expectEqual(store.sync.save(synchronized).serverRevision, before)
    }

    @Test func anAccountThatHasSentAllRemovalsGoesOn() throws {
        try remove()
        _ = try store.sync.save(account(latest))
        try store.changes.prune(at: later)
        try expectEqual(store.sync.accounts().map(\.serverRevision), [latest])
    }

    @Test func phonesAreNoReadersAndDisplaceNone() throws {
        try #expect(store.changes.recordReader("laptop", since: 0, through: 5) == .known)
        for number in 0..<200 { try store.changes.advanceReader("phone \(number)", through: 1_000) }
        try store.changes.advanceReader("laptop", through: 9)
        try #expect(store.changes.recordReader("laptop", since: 9, through: 9) == .known)
        try #expect(store.changes.recordReader("phone 1", since: 1_000, through: 1_000) == .restored)
    }

    /// A podcastd leaves out the kinds of changes that it does not know, and asks for them after an upgrade.
    @Test func aNewKindOfChangesIsExchangedByAllFromTheBeginning() throws {
        let connection = try library.connection()
        try #expect(store.changes.recordReader("laptop", since: 0, through: 5) == .known)
        _ = try store.sync.save(account(7))
        try connection.execute(Schema.newKind)
        try #expect(store.changes.recordReader("laptop", since: 5, through: 5) == .restored)
        let kept = try #require(try store.sync.accounts().first)
        // 0 would ask the user.
        expectEqual([kept.serverRevision, kept.sentRevision], [1, 0])
    }

    @Test func aStepThatAddsAKindOfChangesAsksForItEverywhere() {
        let kindsOfTheLog = 12
        let later = Migration.all.filter { $0.version > 9 }
        #expect(
            LibraryChange.Kind.allCases.count == kindsOfTheLog || later.contains { $0.script.contains(Schema.newKind) },
            "add Schema.newKind to the migration of the kind")
    }
}
