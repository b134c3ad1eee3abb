internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel
internal import SystemCalls

/// Makes the shared state of two podcastds the same. One thread, which waits.
struct StatePass {
    /// Rows of one command.
    private static let pieces = 500

    private let daemon: ControlConnection
    private let server: SyncServer
    /// What was changed here and there.
    private(set) var (received, sent) = (0, 0)

    init(_ daemon: ControlConnection, _ server: SyncServer) { (self.daemon, self.server) = (daemon, server) }

    /// - Parameters:
    ///   - base: what both had the same the last time.
    ///   - isServerSetBack: whether the server was restored from a backup, so that only this side counts.
    /// - Returns: what both have the same now.
    mutating func run(base: [SharedRow], isTrial: Bool, isServerSetBack: Bool) throws(SyncFailure) -> [SharedRow] {
        let (ours, theirs) = try read()
        let known = isServerSetBack ? theirs : base
        let merged = SharedState.merged(base: known, ours: ours, theirs: theirs)
        let (here, there) = (Self.changes(from: ours, to: merged), Self.changes(from: theirs, to: merged))
        (received, sent) = (here.reduce(0) { $0 + $1.count }, there.reduce(0) { $0 + $1.count })
        if isTrial { return [] }
        for change in there { _ = try server.call(change.command(server.device)) }
        for change in here { _ = try daemon.answer(change.command(server.account.name)) }
        return received + sent == 0 ? merged : SharedState.agreed(merged, from: (ours, theirs), now: try read())
    }

    /// The rows of both sides that both can have: those of feeds to which both are subscribed.
    private func read() throws(SyncFailure) -> (ours: [SharedRow], theirs: [SharedRow]) {
        let (ours, theirs) = (try daemon.answer(ListSharedState()).rows, try server.call(ListSharedState()).rows)
        func feeds(_ rows: [SharedRow]) -> Set<SharedRow.Key> { Set(rows.filter { $0.kind == .feed }.map(\.key)) }
        let common = feeds(ours).intersection(feeds(theirs))
        func shared(_ rows: [SharedRow]) -> [SharedRow] {
            var keys = Set<SharedRow.Key>()
            return rows.filter {
                keys.insert($0.key).inserted && $0.kind != .feed
                    && ($0.feed.isEmpty || common.contains(SharedRow(.feed, feed: $0.feed).key))
            }
        }
        return (shared(ours), shared(theirs))
    }

    private struct Change {
        var (from, to) = ([SharedRow](), [SharedRow]())
        /// Rows that differ.
        var count = 0

        func command(_ device: String) -> ApplySharedState {
            ApplySharedState {
                ($0.device, $0.from, $0.to) = (device, from.map(\.json), to.map(\.json))
            }
        }
    }

    private static func changes(from: [SharedRow], to: [SharedRow]) -> [Change] {
        let (old, new) = (from.byKey, to.byKey)
        func differs(_ row: SharedRow) -> Bool { old[row.key]?.value != new[row.key]?.value }
        var (changes, keys): ([Change], [SharedRow.Key]) = ([], [])
        for kind in SharedRow.Kind.allCases {
            let (before, after) = (from.filter { $0.kind == kind }, to.filter { $0.kind == kind })
            if kind.isOrdered {
                let isSame = before.map(\.key) == after.map(\.key) && !before.contains(where: differs)
                let count = zip(before, after).filter { $0.key != $1.key }.count + abs(before.count - after.count)
                if !isSame { changes.append(Change(from: before, to: after, count: max(1, count))) }
            } else {
                keys += before.filter(differs).map(\.key) + after.map(\.key).filter { old[$0] == nil }
            }
        }
        return changes
            + stride(from: 0, to: keys.count, by: pieces).map { start in
                let part = keys[start..<min(start + pieces, keys.count)]
                return Change(from: part.compactMap { old[$0] }, to: part.compactMap { new[$0] }, count: part.count)
            }
    }
}
