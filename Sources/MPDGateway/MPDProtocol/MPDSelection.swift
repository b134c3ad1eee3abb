internal import PodcastModel

/// What `find`, `search` and their relatives select, and in which order: filter, `sort`, `window`, `position`.
struct MPDSelection {
    var filter: MPDFilter
    var foldsCase: Bool
    /// The value by which songs are sorted; nil if they are not.
    var sort: ((MPDSong) -> String)?
    var isDescending = false
    var window = MPDRange.all
    var position: MPDPosition?

    /// - Parameter isSearch: whether case is ignored and pairs match parts, as `search` does.
    init(_ arguments: [String], isSearch: Bool) throws(MPDError) {
        var rest = arguments[...]
        foldsCase = isSearch
        filter = .all([])
        reading: while rest.count >= 3, let name = rest.dropLast().last, let value = rest.last {
            switch name.lowercased() {
            case "window": window = try MPDArgument.range(value)
            case "position": position = try MPDArgument.position(value)
            case "sort":
                isDescending = value.hasPrefix("-")
                sort = try Self.key(isDescending ? String(value.dropFirst()) : value)
            default: break reading
            }
            rest = rest.dropLast(2)
        }
        filter = try MPDFilter(parsing: rest, pairs: isSearch ? .contains : .equal)
    }

    private static func key(_ name: String) throws(MPDError) -> (MPDSong) -> String {
        if ["last-modified", "added"].contains(name.lowercased()) { return { $0.published.description } }
        // All episodes are alike.
        if name.lowercased() == "prio" || MPDTag.isAbsent(name) { return { _ in "" } }
        guard let tag = MPDTag(name: name) else { throw .argument("Unknown sort tag") }
        return { ($0.value(of: tag) ?? "").lowercased() }
    }

    /// The songs in order, and of them those of the window.
    func ordered(_ songs: [MPDSong]) -> ArraySlice<MPDSong> {
        var songs = songs
        if let sort {
            // Equal ones stay in their order.
            let keys = songs.map(sort)
            let order = songs.indices.sorted {
                let (left, right) = isDescending ? ($1, $0) : ($0, $1)
                return keys[left] == keys[right] ? $0 < $1 : Self.isBefore(keys[left], keys[right])
            }
            songs = order.map { songs[$0] }
        }
        return songs[window.clamped(to: songs.count)]
    }

    /// Numbers are compared as such.
    private static func isBefore(_ left: String, _ right: String) -> Bool {
        if let left = Int(left), let right = Int(right) { return left < right }
        return left < right
    }
}

/// What `list` and `count` arrange songs by: `group TAG…` at the end of the arguments.
struct MPDGrouping: Equatable {
    private(set) var tags: [MPDTag] = []

    /// Takes the groups from the end.
    init(takingFrom arguments: inout [String]) throws(MPDError) {
        while arguments.count >= 2, arguments[arguments.count - 2].lowercased() == "group" {
            let name = arguments[arguments.count - 1]
            arguments.removeLast(2)
            if let tag = MPDTag(name: name) {
                tags.insert(tag, at: 0)
            } else if !MPDTag.isAbsent(name) {
                throw .argument("Unknown tag type: \(name)")
            }
        }
    }

    /// The values of a song's groups, in order.
    func key(of song: MPDSong) -> [String] { tags.map { song.value(of: $0) ?? "" } }
}
