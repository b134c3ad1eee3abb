internal import PodcastModel
internal import SystemCalls

/// The current episode's cover as a file, because programs that show it expect a URL. They get the daemon's small copy and ask no
/// publisher's server.
struct CoverFile {
    private let folder: String?
    private let process: Int32
    private var path: String?

    /// - Parameters:
    ///   - variable: the environment.
    ///   - process: makes the name of the file unique.
    init(variable: (String) -> String?, process: Int32) {
        let own = variable("RUNTIME_DIRECTORY").flatMap { $0.split(separator: ":").first.map(String.init) }
        folder = own ?? variable("XDG_RUNTIME_DIR").map { $0 + "/podcast-mpris" }
        self.process = process
    }

    /// Replaces the last cover.
    ///
    /// - Returns: the URL of the file; nil if it cannot be written.
    mutating func write(_ bytes: [UInt8], of episode: EpisodeID) -> String? {
        guard let folder, folder.hasPrefix("/") else { return nil }
        // Programs keep pictures by their URL, so each episode has another one.
        let next = "\(folder)/cover-\(process)-\(episode).jpg"
        do throws(SystemError) {
            try StoredFile.makeFolder(folder)
            try StoredFile.replace(next, with: bytes, isDurable: false)
        } catch {
            return nil
        }
        if path != next { remove() }
        path = next
        return FileAddress.url(of: next)
    }

    mutating func remove() {
        if let path { try? StoredFile.remove(path) }
        path = nil
    }
}
