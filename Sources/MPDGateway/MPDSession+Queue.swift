internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

extension MPDCommand {
    static let queue: [MPDCommand] = [
        MPDCommand("add", 1...2) { try $0.add($1) { session, _ in session.finish() } },
        MPDCommand("addid", 1...2) { try $0.add($1) { $0.finish([("Id", "\($1)")]) } },
        MPDCommand("clear") { $0.change(ClearQueue()) },
        MPDCommand("delete", 1...1) { session, words in
            let range = try MPDArgument.range(words[0])
            try session.delete { ids throws(MPDError) in
                if range.start >= ids.count, range.end != range.start { throw .badIndex }
                return range.clamped(to: ids.count)
            }
        },
        MPDCommand("deleteid", 1...1) { session, words in
            let id = Int64(try MPDArgument.integer(words[0]))
            try session.delete { ids throws(MPDError) in
                guard let position = ids.firstIndex(of: id) else { throw .noSuchSong }
                return position..<position + 1
            }
        },
        MPDCommand("move", 2...2) { try $0.move(MPDArgument.range($1[0]), to: MPDArgument.position($1[1])) },
        MPDCommand("moveid", 2...2) { session, words in
            try session.move(MPDRange(at: session.position(ofID: words[0])), to: MPDArgument.position(words[1]))
        },
        MPDCommand("swap", 2...2) { try $0.swap($0.position(of: $1[0]), $0.position(of: $1[1])) },
        MPDCommand("swapid", 2...2) { try $0.swap($0.position(ofID: $1[0]), $0.position(ofID: $1[1])) },
        MPDCommand("shuffle", 0...1) { try $0.shuffle($1.first.map(MPDArgument.range) ?? .all) },
        MPDCommand("playlist", .read) { session in
            let entries = session.service.library.entries
            session.finish(entries.enumerated().map { ("\($0.offset):file", $0.element.song?.uri ?? "") })
        },
        MPDCommand("playlistinfo", 0...1, .read) { session, words in
            let count = session.service.library.entries.count
            let range = try words.first.map(MPDArgument.range) ?? .all
            if range.start > 0, range.start >= count { throw MPDError.badIndex }
            session.writeEntries(range.clamped(to: count))
        },
        MPDCommand("playlistid", 0...1, .read) { session, words in
            let range = try words.first.map { (id) in MPDRange(at: try session.position(ofID: id)) }
            session.writeEntries((range ?? .all).clamped(to: session.service.library.entries.count))
        },
        MPDCommand("playlistfind", 1...most, .read) { $0.findEntries(try MPDSelection($1, isSearch: false)) },
        MPDCommand("playlistsearch", 1...most, .read) { $0.findEntries(try MPDSelection($1, isSearch: true)) },
        MPDCommand("plchanges", 1...2, .read) { $0.writeEntries(try $0.changedPositions($1)) },
        MPDCommand("plchangesposid", 1...2, .read) { session, words in
            let entries = session.service.library.entries
            session.write(try session.changedPositions(words)[...]) { position, answer in
                answer.add("cpos", position)
                answer.add("Id", entries[position].id)
            }
        },
        // Priorities order a queue that is played at random. This queue is played in its order.
        MPDCommand("prio", 2...most) { try $0.checkPriority($1[0]) },
        MPDCommand("prioid", 2...most) { try $0.checkPriority($1[0]) },
    ]
}

extension MPDSession {
    // MARK: positions

    /// The position of the current entry, from 0.
    var currentPosition: Int? {
        service.model.queue.index.map { $0 - 1 }.flatMap { service.library.entries.indices.contains($0) ? $0 : nil }
    }

    func position(of argument: String) throws(MPDError) -> Int {
        let position = try MPDArgument.integer(argument)
        guard service.library.entries.indices.contains(position) else { throw .badIndex }
        return position
    }

    func position(ofID argument: String) throws(MPDError) -> Int {
        guard let position = service.library.position(ofEntry: try MPDArgument.integer(argument)) else {
            throw .noSuchSong
        }
        return position
    }

    /// The daemon's index, from 1, of the place in the queue that an argument names; nil for the end.
    func index(of argument: String) throws(MPDError) -> Int? { try index(of: MPDArgument.position(argument)) }

    func index(of position: MPDPosition) throws(MPDError) -> Int? {
        let count = service.library.entries.count
        guard let index = position.index(current: currentPosition, count: count) else { throw .badIndex }
        return index == count ? nil : index + 1
    }

    /// The positions that changed after the version of the first argument, and are in the range of the second one.
    fileprivate func changedPositions(_ arguments: [String]) throws(MPDError) -> [Int] {
        let known = try MPDArgument.integer(arguments[0], 0...Int(UInt32.max))
        let changed = service.library.positions(changedAfter: UInt32(known))
        guard arguments.count > 1 else { return changed }
        let window = try MPDArgument.range(arguments[1]).clamped(to: service.library.entries.count)
        return changed.filter(window.contains)
    }

    fileprivate func findEntries(_ selection: MPDSelection) {
        let found = service.library.entries.indices.filter { index in
            service.library.entries[index].song.map { selection.filter.matches($0, foldsCase: selection.foldsCase) }
                ?? false
        }
        writeEntries(found[selection.window.clamped(to: found.count)])
    }

    fileprivate func writeEntries(_ positions: some Sequence<Int>) {
        let library = service.library
        let tags = tags
        write(Array(positions)[...]) { position, answer in library.write(position, tags, to: &answer) }
    }

    // MARK: edits

    /// Queues a song, a show (its unplayed episodes), or a URL. `done` gets the id of the first new entry.
    fileprivate func add(_ arguments: [String], done: @escaping (MPDSession, EntryID) -> Void) throws(MPDError) {
        let what = try what(arguments[0])
        let index = arguments.count > 1 ? try index(of: arguments[1]) : nil
        alter(
            AddToQueue {
                $0.what = [what]
                $0.at = index
                $0.again = true
            }
        ) { session, reply in
            guard let first = reply.entries.first else {
                throw MPDError(.noSuchObject, "no unplayed episode in \(arguments[0]), or all are in the queue already")
            }
            done(session, first)
        }
    }

    /// Queues songs, as many at once as a request may name.
    func add(_ songs: ArraySlice<MPDSong>, at index: Int?) {
        if songs.isEmpty { return finish() }
        let some = songs.prefix(500)
        let episodes = some.compactMap { SongLibrary.episode(of: $0.uri)?.label }
        alter(
            AddToQueue {
                $0.what = episodes
                $0.at = index
                $0.again = true
            }
        ) { session, _ in
            session.add(songs.dropFirst(500), at: index.map { $0 + some.count })
        }
    }

    func what(_ uri: String) throws(MPDError) -> String {
        if uri.hasPrefix("http://") || uri.hasPrefix("https://") { return uri }
        if let episode = SongLibrary.episode(of: uri) { return episode.label }
        return try feed(inFolder: uri)?.label ?? "filter:is:unplayed"
    }

    /// Deletes entries. The daemon removes those of several deletions in a row of a command list at once, as one undo step.
    fileprivate func delete(_ positions: (_ ids: [Int64]) throws(MPDError) -> Range<Int>) throws(MPDError) {
        let positions = try positions(deletion?.left ?? service.library.entries.map(\.id))
        var (removed, left) = deletion.take() ?? (removed: [], left: service.library.entries.map(\.id))
        removed.formUnion(left[positions])
        left.removeSubrange(positions)
        deletion = (removed, left)
        deletesNext ? finish() : removeEntries { $0.finish() }
    }

    func removeEntries(done: @escaping (MPDSession) -> Void) {
        guard let removed = deletion.take()?.removed else { return done(self) }
        let entries = service.library.entries
        var ranges: [ClosedRange<Int>] = []
        for (offset, entry) in entries.enumerated() where removed.contains(entry.id) {
            if let last = ranges.last, last.upperBound == offset {
                ranges[ranges.count - 1] = last.lowerBound...offset + 1
            } else {
                ranges.append(offset + 1...offset + 1)
            }
        }
        remove(ranges.map { $0.count == 1 ? "#\($0.lowerBound)" : "#\($0.lowerBound)-\($0.upperBound)" }[...], done)
    }

    /// Removes entries, as many at once as a request may name, the last ones first, so that the indexes of the others stay.
    private func remove(_ ranges: ArraySlice<String>, _ done: @escaping (MPDSession) -> Void) {
        if ranges.isEmpty { return done(self) }
        let some = Array(ranges.suffix(500))
        alter(RemoveFromQueue { $0.what = some }) { session, _ in session.remove(ranges.dropLast(500), done) }
    }

    /// Moves entries, which keep their order.
    fileprivate func move(_ range: MPDRange, to target: MPDPosition) throws(MPDError) {
        let count = service.library.entries.count
        let moved = range.clamped(to: count)
        guard !moved.isEmpty, (range.end ?? count) <= count else { throw .badIndex }
        // Relative to the position of the current entry when the moved entries are gone from before it.
        let shifted = currentPosition.map { $0 - (moved.upperBound <= $0 ? moved.count : 0) }
        guard let index = target.index(current: shifted, count: count), index + moved.count <= count else {
            throw .badIndex
        }
        let steps: [(from: Int, to: Int)] =
            index <= moved.lowerBound
            ? moved.indices.enumerated().map { (moved.lowerBound + $0.offset, index + $0.offset) }
            : moved.map { _ in (moved.lowerBound, index + moved.count - 1) }
        move(steps.filter { $0.from != $0.to }[...])
    }

    fileprivate func swap(_ one: Int, _ other: Int) {
        let low = min(one, other)
        let high = max(one, other)
        if low == high { return finish() }
        move(high - low > 1 ? [(high, low), (low + 1, high)] : [(high, low)])
    }

    /// Moves entries, one after the other.
    private func move(_ steps: ArraySlice<(from: Int, to: Int)>) {
        guard let step = steps.first else { return finish() }
        alter(
            MoveInQueue {
                $0.from = "#\(step.from + 1)"
                $0.to = step.to + 1
            }
        ) { session, _ in
            session.move(steps.dropFirst())
        }
    }

    fileprivate func shuffle(_ range: MPDRange) throws(MPDError) {
        let count = service.library.entries.count
        let positions = range.clamped(to: count)
        let following = (currentPosition.map { $0 + 1 } ?? 0)..<count
        // The daemon shuffles only what follows the current entry.
        guard range == .all || positions == following || positions == 0..<count else {
            throw .argument("the queue is shuffled as a whole, after the current song")
        }
        change(ShuffleQueue())
    }

    fileprivate func checkPriority(_ argument: String) throws(MPDError) {
        _ = try MPDArgument.integer(argument, 0...255)
        finish()
    }
}
