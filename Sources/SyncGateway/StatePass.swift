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
    mutating func run(
        base: [SharedRow], isTrial: Bool, isServerSetBack: Bool
    ) throws(SyncPass.Failure) -> [SharedRow] {
        var (ours, theirs) = try read()
        let known = isServerSetBack ? theirs : base
        let merged = SharedState.merged(base: known, ours: ours, theirs: theirs)
        let (here, there) = (Self.changes(from: ours, to: merged), Self.changes(from: theirs, to: merged))
        (received, sent) = (here.reduce(0) { $0 + $1.count }, there.reduce(0) { $0 + $1.count })
        if isTrial { return [] }
        for change in there {
            try call { () throws(SyncFailure) in _ = try server.call(change.command(server.device)) }
        }
        for change in here {
            do throws(ClientFailure) { _ = try daemon.call(change.command(server.account.name)) } catch {
                throw .daemon(error)
            }
        }
        if received + sent > 0 { (ours, theirs) = try read() }
        let values = Dictionary(theirs.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        return ours.filter { values[$0.key] == $0.value }
    }

    /// The rows of both sides that both can have: those of feeds to which both are subscribed.
    private func read() throws(SyncPass.Failure) -> (ours: [SharedRow], theirs: [SharedRow]) {
        let ours: [SharedRow]
        do throws(ClientFailure) { ours = try daemon.call(ListSharedState()).rows } catch { throw .daemon(error) }
        let theirs = try call { () throws(SyncFailure) in try server.call(ListSharedState()).rows }
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

    private func call<Result>(_ request: () throws(SyncFailure) -> Result) throws(SyncPass.Failure) -> Result {
        do throws(SyncFailure) { return try request() } catch { throw .server(error) }
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
        let (old, new) = (byKey(from), byKey(to))
        func differs(_ row: SharedRow) -> Bool { old[row.key]?.value != new[row.key]?.value }
        var (changes, piece): ([Change], Change) = ([], Change())
        for kind in SharedRow.Kind.allCases {
            let (before, after) = (from.filter { $0.kind == kind }, to.filter { $0.kind == kind })
            if kind.isOrdered {
                let isSame = before.map(\.key) == after.map(\.key) && !before.contains(where: differs)
                let count = zip(before, after).filter { $0.key != $1.key }.count + abs(before.count - after.count)
                if !isSame { changes.append(Change(from: before, to: after, count: max(1, count))) }
                continue
            }
            for row in before where differs(row) {
                piece.from.append(row)
                if let next = new[row.key] { piece.to.append(next) }
                piece.count += 1
            }
            for row in after where old[row.key] == nil {
                piece.to.append(row)
                piece.count += 1
            }
            while piece.count >= pieces { changes.append(cut(&piece)) }
        }
        if piece.count > 0 { changes.append(piece) }
        return changes
    }

    /// Cuts off a part that fits into one command.
    private static func cut(_ piece: inout Change) -> Change {
        let keys = Set((piece.from + piece.to).map(\.key).prefix(pieces))
        let isCut: (SharedRow) -> Bool = { keys.contains($0.key) }
        let part = Change(from: piece.from.filter(isCut), to: piece.to.filter(isCut), count: keys.count)
        piece.from.removeAll(where: isCut)
        piece.to.removeAll(where: isCut)
        piece.count -= keys.count
        return part
    }

    private static func byKey(_ rows: [SharedRow]) -> [SharedRow.Key: SharedRow] {
        Dictionary(rows.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
