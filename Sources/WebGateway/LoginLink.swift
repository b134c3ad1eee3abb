internal import PodcastModel
internal import Secrets
internal import SystemCalls

/// An address that logs a browser in once, without a password, in a file that only the user of podcast-web may read. One thread.
final class LoginLink {
    /// The name of the token that the page sends.
    static let token = "link"

    private let path: String
    private let port: UInt16
    private var key = Secret.make()

    static func path(beside socket: String) -> String { StoredFile.folder(of: socket) + "/web-link" }

    /// - Parameter socket: of the daemon; the file is beside it. Without the right to write there is no file.
    init(beside socket: String, port: UInt16) {
        path = Self.path(beside: socket)
        self.port = port
        write()
    }

    /// Whether this is the key. A key opens once.
    func use(_ given: String) -> Bool {
        guard ConstantTime.areEqual(key, given) else { return false }
        key = Secret.make()
        write()
        return true
    }

    private func write() {
        try? StoredFile.replace(path, with: Array("http://localhost:\(port)/#key=\(key)".utf8), isDurable: false)
    }
}
