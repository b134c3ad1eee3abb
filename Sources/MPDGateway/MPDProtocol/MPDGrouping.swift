/// What `list` and `count` arrange songs by: `group TAG…` at the end of the arguments.
struct MPDGrouping: Equatable, Sendable {
    private(set) var tags: [MPDTag] = []

    /// Takes the groups from the end.
    init(takingFrom arguments: inout [String]) throws(MPDError) {
        while arguments.count >= 2, arguments[arguments.count - 2].lowercased() == "group" {
            let name = arguments[arguments.count - 1]
            arguments.removeLast(2)
            if let tag = MPDTag(name: name) {
                tags.insert(tag, at: 0)
            } else if !MPDTag.isAbsent(name) {
                throw MPDError(.argument, "Unknown tag type: \(name)")
            }
        }
    }

    /// The values of a song's groups, in order.
    func key(of song: MPDSong) -> [String] { tags.map { song.value(of: $0) ?? "" } }
}
