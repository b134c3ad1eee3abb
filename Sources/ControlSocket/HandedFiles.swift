public import ControlLanguage
internal import Synchronization
public import SystemCalls

/// Per connection at most one descriptor that came with a request and that no command has used yet. The descriptor is
/// closed when the requests that came with it are processed.
public final class HandedFiles: Sendable {
    private let files = Mutex<[ConnectionID: OpenFile]>([:])

    public init() {}

    /// Removes and returns the descriptor of the request. Only while a command begins, on the server's thread.
    public func take(from connection: ConnectionID) -> OpenFile? {
        files.withLock { $0.removeValue(forKey: connection) }
    }

    func keep(_ file: OpenFile, from connection: ConnectionID) { files.withLock { $0[connection] = file } }

    func release(_ connection: ConnectionID) { files.withLock { _ = $0.removeValue(forKey: connection) } }
}
