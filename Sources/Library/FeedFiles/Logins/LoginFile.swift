internal import Glibc
internal import PodcastModel
public import SystemCalls

/// Storage of logins: a file next to the library that only its user can read, not included in backups; and the credential of
/// the service manager (systemd.exec(5), `LoadCredential=`), which is only read.
///
/// A line is a JSON object with `feed`, `username`, `password` and `hosts`; other lines, and those that begin with `#`, are
/// ignored. Any thread; reads and writes the disk.
public struct LoginFile: Sendable {
    static let name = "credentials"
    static let credentialName = "feeds"
    private static let longest = 1 << 20

    private let path: String
    private let given: String?

    /// The file of a data folder.
    /// - Parameter credentials: the service manager's folder, `$CREDENTIALS_DIRECTORY`.
    public init(folder: String, credentials: String?) {
        path = "\(folder)/\(Self.name)"
        given = credentials.map { "\($0)/\(Self.credentialName)" }
    }

    /// All logins.
    /// - Throws: if one of the files exists and cannot be read.
    public func read() throws(SystemError) -> LoginTable {
        var logins = try Self.logins(in: path)
        if let given { logins += try Self.logins(in: given) }
        return LoginTable(logins)
    }

    /// Changes the login of a feed; the change is on disk when this returns. An empty login is removed, together with
    /// those under the feed's former URLs.
    /// - Parameters:
    ///   - urls: the feed's URL, then its former ones.
    ///   - change: receives the current login; an empty one if there is none.
    public func update(_ urls: [String], _ change: (inout FeedLogin) -> Void) throws(SystemError) {
        guard let url = urls.first else { return }
        // The daemon and podcast-refresh may change the file at the same time.
        let lock = try Self.lock(path + ".lock")
        defer { withExtendedLifetime(lock) {} }
        var lines = try Self.lines(in: path)
        var login = LoginTable(lines.compactMap(FeedLogin.init)).login(ofFeedAt: urls) ?? FeedLogin(feed: url)
        login.feed = url
        change(&login)
        // Comments and lines that cannot be read stay.
        lines.removeAll { line in FeedLogin(line: line).map { urls.contains($0.feed) } ?? false }
        if !login.isEmpty { lines.append(login.line) }
        let text = lines.map { $0 + "\n" }.joined()
        try StoredFile.replace(path, with: Array(text.utf8), isDurable: true)
    }

    private static func logins(in path: String) throws(SystemError) -> [FeedLogin] {
        try lines(in: path).compactMap(FeedLogin.init)
    }

    private static func lines(in path: String) throws(SystemError) -> [String] {
        do throws(SystemError) {
            let bytes = try StoredFile.contents(of: path, limit: longest)
            return bytes.split(separator: UInt8(ascii: "\n")).map { String(utf8: $0) }
        } catch  where error.code == ENOENT {
            return []
        }
    }

    /// Other processes hold the lock only while they write a small file.
    private static func lock(_ path: String) throws(SystemError) -> LockFile {
        for _ in 0..<200 {
            if let lock = try LockFile.take(path) { return lock }
            CurrentProcess.sleep(for: .milliseconds(10))
        }
        throw SystemError(code: EAGAIN, call: "lock \(path)")
    }
}
