internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

extension MPDSession {
    func executeQueue(_ command: MPDCommand, _ arguments: [String]) throws(MPDError) {
        let library = service.library
        switch command {
        case .add, .addid: try add(command, arguments)
        case .clear: change(ClearQueue())
        case .delete: try delete(MPDArgument.range(arguments[0]))
        case .deleteid:
            let position = try position(ofID: arguments[0])
            try delete(MPDRange(position, position + 1))
        case .move: try move(MPDArgument.range(arguments[0]), to: MPDArgument.position(arguments[1]))
        case .moveid:
            let position = try position(ofID: arguments[0])
            try move(MPDRange(position, position + 1), to: MPDArgument.position(arguments[1]))
        case .swap: swap(try position(of: arguments[0]), try position(of: arguments[1]))
        case .swapid: swap(try position(ofID: arguments[0]), try position(ofID: arguments[1]))
        case .shuffle: try shuffle(arguments.first.map(MPDArgument.range) ?? .all)
        case .playlist:
            finish(Self.lines(library.entries.enumerated().map { ("\($0.offset):file", $0.element.song?.uri ?? "") }))
        case .playlistinfo:
            let range = try arguments.first.map(MPDArgument.range) ?? .all
            if range.start > 0, range.start >= library.entries.count { throw MPDError(.argument, "Bad song index") }
            writeEntries(range.clamped(to: library.entries.count)[...])
        case .playlistid:
            if let id = arguments.first {
                let position = try position(ofID: id)
                writeEntries((position..<position + 1)[...])
            } else {
                writeEntries(library.entries.indices[...])
            }
        case .playlistfind, .playlistsearch:
            let selection = try MPDSelection(arguments, isSearch: command == .playlistsearch)
            let found = library.entries.indices.filter { index in
                library.entries[index].song.map { selection.filter.matches($0, foldsCase: selection.foldsCase) }
                    ?? false
            }
            writeEntries(found[selection.window.clamped(to: found.count)])
        case .plchanges:
            let known = try MPDArgument.integer(arguments[0], 0...Int(UInt32.max))
            writeEntries(try window(arguments, library.positions(changedAfter: UInt32(known))))
        case .plchangesposid:
            let known = try MPDArgument.integer(arguments[0], 0...Int(UInt32.max))
            write(try window(arguments, library.positions(changedAfter: UInt32(known)))) { position, answer in
                answer.add("cpos", position)
                answer.add("Id", library.entries[position].id)
            }
        case .prio, .prioid:
            // Priorities order a queue that is played at random. This one is played in its order.
            _ = try MPDArgument.integer(arguments[0], 0...255)
            finish()
        case .rangeid: throw MPDError(.argument, "only whole episodes are queued; 'seekid' begins inside one")
        default: throw MPDError(.permission, "tags come from the feed")
        }
    }

    private func window(_ arguments: [String], _ positions: [Int]) throws(MPDError) -> ArraySlice<Int> {
        guard arguments.count > 1 else { return positions[...] }
        let window = try MPDArgument.range(arguments[1]).clamped(to: service.library.entries.count)
        return positions.filter(window.contains)[...]
    }

    private func writeEntries(_ positions: some Sequence<Int>) {
        let (library, tags) = (service.library, tags)
        write(Array(positions)[...]) { position, answer in library.write(position, tags, to: &answer) }
    }

    // MARK: edits

    /// A song, a show (its unplayed episodes), or a URL.
    private func add(_ command: MPDCommand, _ arguments: [String]) throws(MPDError) {
        let what = try what(arguments[0])
        let count = service.library.entries.count
        var index: Int?
        if arguments.count > 1 {
            guard let found = try MPDArgument.position(arguments[1]).index(current: currentPosition, count: count)
            else {
                throw MPDError(.argument, "Bad song index")
            }
            index = found == count ? nil : found + 1
        }
        alter(
            AddToQueue {
                $0.what = [what]
                $0.at = index
                $0.again = true
            }
        ) { [weak self] (reply) throws(MPDError) in
            guard let self else { return }
            if reply.entries.isEmpty { throw MPDError(.noSuchObject, "no unplayed episode in \(arguments[0])") }
            finish(command == .addid ? Self.lines([("Id", "\(reply.entries[0])")]) : MPDAnswer())
        }
    }

    /// What a URI is to the daemon.
    func what(_ uri: String) throws(MPDError) -> String {
        if uri.hasPrefix("http://") || uri.hasPrefix("https://") { return uri }
        if let episode = SongLibrary.episode(of: uri) { return episode.label }
        let folder = uri.last == "/" ? String(uri.dropLast()) : uri
        if folder.isEmpty { return "filter:is:unplayed" }
        guard let feed = service.library.feed(inFolder: folder) else { throw .noSuchDirectory }
        return feed.label
    }

    private func delete(_ range: MPDRange) throws(MPDError) {
        let positions = range.clamped(to: service.library.entries.count)
        if positions.isEmpty {
            if range.start >= service.library.entries.count, range.end != range.start {
                throw MPDError(.argument, "Bad song index")
            }
            return finish()
        }
        change(RemoveFromQueue { $0.what = [Self.entries(positions)] })
    }

    /// Positions as the daemon's commands name them: `#2`, `#2-5`.
    private static func entries(_ positions: Range<Int>) -> String {
        positions.count == 1 ? "#\(positions.upperBound)" : "#\(positions.lowerBound + 1)-\(positions.upperBound)"
    }

    /// The entries keep their order.
    private func move(_ range: MPDRange, to target: MPDPosition) throws(MPDError) {
        let count = service.library.entries.count
        let moved = range.clamped(to: count)
        guard !moved.isEmpty, (range.end ?? count) <= count else { throw MPDError(.argument, "Bad song index") }
        let current = currentPosition
        // Relative to where the current entry is once the others are gone from before it.
        let shifted = current.map { $0 - (moved.upperBound <= $0 ? moved.count : 0) }
        guard let index = target.index(current: shifted, count: count), index + moved.count <= count else {
            throw MPDError(.argument, "Bad song index")
        }
        let steps: [(from: Int, to: Int)] =
            index <= moved.lowerBound
            ? moved.indices.enumerated().map { (moved.lowerBound + $0.offset, index + $0.offset) }
            : moved.map { _ in (moved.lowerBound, index + moved.count - 1) }
        change(
            steps.filter { $0.from != $0.to }.map { step in
                MoveInQueue { ($0.from, $0.to) = ("#\(step.from + 1)", step.to + 1) }
            })
    }

    private func swap(_ one: Int, _ other: Int) {
        let (low, high) = (min(one, other), max(one, other))
        if low == high { return finish() }
        var moves = [MoveInQueue { ($0.from, $0.to) = ("#\(high + 1)", low + 1) }]
        if high - low > 1 { moves.append(MoveInQueue { ($0.from, $0.to) = ("#\(low + 2)", high + 1) }) }
        change(moves)
    }

    private func shuffle(_ range: MPDRange) throws(MPDError) {
        let count = service.library.entries.count
        let positions = range.clamped(to: count)
        let following = (currentPosition.map { $0 + 1 } ?? 0)..<count
        // The daemon leaves the current entry and what was played where it is.
        guard range == .all || positions == following || positions == 0..<count else {
            throw MPDError(.argument, "the queue is shuffled as a whole, after the current song")
        }
        change(ShuffleQueue())
    }
}
