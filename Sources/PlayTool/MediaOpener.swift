internal import EpisodeCache
internal import MediaPorts

/// Opens what the command line names: files of this machine, and URLs through a cache of this run alone.
final class MediaOpener: MediaOpening {
    private let folder: TemporaryFolder

    init(folder: TemporaryFolder) { self.folder = folder }

    func open(_ url: String) throws(MediaFailure) -> any ByteSource {
        try LocalFileSource(url)
    }

    /// Whether an input is fetched over the network.
    static func isRemote(_ input: String) -> Bool {
        let start = input.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }

    /// What to call an input before its tags are known: its last part.
    static func title(of input: String) -> String {
        var path = input[...]
        if isRemote(input) { path = path.prefix { $0 != "?" && $0 != "#" } }
        return path.split(separator: "/").last.map(String.init) ?? input
    }
}
