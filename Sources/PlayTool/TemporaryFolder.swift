internal import Synchronization
internal import SystemCalls

/// A folder that is created when first needed and deleted with its content.
final class TemporaryFolder: Sendable {
    private let path = Mutex<String?>(nil)

    /// The folder's path.
    /// - Throws: `SystemError` if the folder cannot be created.
    func make() throws(SystemError) -> String {
        if let path = path.withLock({ $0 }) { return path }
        let parent = CurrentProcess.variable("TMPDIR") ?? "/tmp"
        let made = try StoredFile.makeTemporaryFolder("\(parent)/podcast-play")
        path.withLock { $0 = made }
        return made
    }

    /// Deletes the folder; ignores errors, because nothing more can be done.
    func remove() {
        let made = path.withLock { path in
            defer { path = nil }
            return path
        }
        if let made { StoredFile.removeTree(made) }
    }
}
