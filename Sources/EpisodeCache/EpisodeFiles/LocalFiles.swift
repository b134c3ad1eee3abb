public import MediaPorts
internal import PodcastModel
internal import Synchronization
public import SystemCalls

/// Files that clients have handed over as descriptors, by the URLs of their episodes. They are gone after a restart.
public final class LocalFiles: Sendable {
    /// Open files at most; beyond that the one that was used least recently is closed.
    private static let maximum = 64

    private struct State {
        var files: [String: OpenFile] = [:]
        /// The URLs, the one used most recently last.
        var order: [String] = []

        mutating func use(_ url: String) {
            order.removeAll { $0 == url }
            order.append(url)
        }
    }

    private let state = Mutex(State())

    public init() {}

    public func keep(_ file: OpenFile, as url: String) {
        state.withLock { state in
            state.files[url] = file
            state.use(url)
            if state.order.count > Self.maximum { state.files[state.order.removeFirst()] = nil }
        }
    }

    /// A source for the URL of a file.
    /// - Throws: `MediaFailure` if the file was not handed over since the daemon's start.
    public func open(_ url: String) throws(MediaFailure) -> any ByteSource {
        let path = FileAddress.path(of: url) ?? url
        let file = state.withLock { state in
            if state.files[url] != nil { state.use(url) }
            return state.files[url]
        }
        guard let file else {
            throw MediaFailure(
                .forbidden, "the file must be given again: podcastctl play '\(SafeText.line(path))'")
        }
        return try LocalFileSource(file, path: path)
    }
}
