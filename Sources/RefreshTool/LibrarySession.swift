internal import CommandLineTool
internal import Configuration
internal import FeedDocuments
internal import Glibc
internal import HTTP
internal import Library
internal import PodcastModel
internal import SystemCalls

/// An open library, whose errors become messages of the command line.
struct LibrarySession {
    let store: LibraryStore
    let folder: DataFolder
    private let loginFile: LoginFile
    private var logins: LoginTable

    /// - Parameter mayCreate: whether a new library is created if there is none; otherwise that is an error.
    init(_ folder: DataFolder, mayCreate: Bool, variable: (String) -> String?) throws(ToolFailure) {
        self.folder = folder
        if !mayCreate, (try? FileStatus(path: folder.library)) == nil {
            throw ToolFailure(
                .noInput, "no library in \(folder.path)",
                hint: "name the folder with library.db: --data-dir DIR; to begin a library: podcast-refresh add URL")
        }
        try folder.make()
        let home = variable("HOME")
        PrivateFolder.correct(folder.path, home: home, files: DataFolder.isOurs)
        PrivateFolder.correct(folder.backups, home: home, files: DataFolder.isBackup)
        loginFile = LoginFile(folder: folder.path, credentials: variable("CREDENTIALS_DIRECTORY"))
        logins = try Self.read(loginFile)
        store = try mapError(of: LibraryStore(path: folder.library, options: .refresher)) {
            ToolFailure($0, library: folder.library)
        }
        // The HTML parser is not part of the daemon.
        store.readNotes = { MarkedText(notes: $0) }
    }

    private static func read(_ file: LoginFile) throws(ToolFailure) -> LoginTable {
        try ToolFailure.wrapping(.noPermission, subject: "cannot read the logins of feeds") { try file.read() }
    }

    /// The same session, with logins that were stored meanwhile.
    func withCurrentLogins() throws(ToolFailure) -> LibrarySession {
        var session = self
        session.logins = try Self.read(loginFile)
        return session
    }

    func perform<Result>(_ body: (LibraryStore) throws -> Result) throws(ToolFailure) -> Result {
        do {
            return try body(store)
        } catch let error as ToolFailure {
            throw error
        } catch {
            throw failure(LibraryError(storing: error, path: folder.library))
        }
    }

    func result<Value>(of value: @autoclosure () throws(LibraryError) -> Value) throws(ToolFailure) -> Value {
        try mapError(of: value(), failure)
    }

    func feed(at url: String) throws(ToolFailure) -> Feed? { try result(of: store.feeds.feed(url: url)) }

    /// User agent and login for requests to a feed.
    func access(_ target: RefreshTarget) -> HTTPAccess {
        HTTPAccess(userAgent: target.userAgent, login: login(of: target)?.requestLogin)
    }

    func login(of target: RefreshTarget) -> FeedLogin? {
        if logins.isEmpty { return nil }
        if let login = logins.login(ofFeedAt: [target.url]) { return login }
        return (try? store.feeds.feed(target.id)).flatMap { logins.login(ofFeedAt: $0.formerURLs) }
    }

    func login(ofFeedAt urls: [String]) -> FeedLogin? { logins.login(ofFeedAt: urls) }

    /// User agent and login for URLs that a feed contains; of private hosts, only the feed's own host is allowed.
    func access(toURLsOf id: FeedID) -> HTTPAccess {
        guard let feed = try? store.feeds.feed(id) else { return HTTPAccess(namedHosts: []) }
        return HTTPAccess(
            userAgent: try? store.feeds.settings(of: id)[FeedSetting.userAgent.rawValue],
            login: logins.login(ofFeedAt: [feed.url] + feed.formerURLs)?.requestLogin,
            namedHosts: [HTTPURL.host(of: feed.url) ?? ""])
    }

    /// The login for a URL that is not in the library yet.
    func access(toURL url: String) -> HTTPAccess { HTTPAccess(login: logins.login(ofFeedAt: [url])?.requestLogin) }

    func saveLogin(_ login: FeedLogin) throws(ToolFailure) {
        try ToolFailure.wrapping(.ioError, subject: "cannot store the feed's login") {
            try loginFile.update([login.feed]) { stored in
                stored.username = login.username
                stored.password = login.password
            }
        }
    }

    /// Stores a login that no server was asked about, unless the feed has one.
    func saveFirstLogin(_ login: FeedLogin) throws(ToolFailure) {
        if logins.login(ofFeedAt: [login.feed]) == nil { try saveLogin(login) }
    }

    /// Applies rules to new episodes and then the retention policies, unless a daemon has this library: the daemon does so
    /// itself when the refresh is reported to it, because it owns the queue. Episodes that are not processed here wait in
    /// the library.
    func applyRules(_ clock: any RefreshClock) {
        if LibraryLock.isHeld(.daemon, in: folder.path) { return }
        do throws(LibraryError) {
            while try store.rules.applyToNewEpisodes(nextIndex: nil, at: clock.wallTime).hasMore {}
            var round = RetentionRound(at: clock.wallTime)
            while try round.advance(in: store) != nil {}
        } catch {
            // The feeds are refreshed; rules and retention continue from here the next time.
        }
    }

    func failure(_ error: LibraryError) -> ToolFailure { ToolFailure(error, library: folder.library) }
}

extension DataFolder {
    /// Creates the directory and its parents, private to the user.
    func make() throws(ToolFailure) {
        try mapError(of: StoredFile.makeFolder(path)) { (error: SystemError) in
            ToolFailure(
                error.code == EACCES || error.code == EROFS ? .noPermission : .cannotCreate,
                "cannot create directory \(path): \(error.reason)")
        }
    }
}

extension ToolFailure {
    /// The one place where the library's errors become exit statuses and messages.
    init(_ error: LibraryError, library: String) {
        switch error {
        case .notFound(_, let kind):
            let list: String? =
                switch kind {
                case .feed?: "'podcast-refresh export' lists all feeds"
                case .episode?, .feedOrEpisode?: "'podcastctl episodes' lists them with their ids"
                case .entry?: "'podcastctl queue' lists them"
                case nil: nil
                }
            self.init(.noInput, error.description, hint: list)
        case .ambiguous, .inexact: self.init(.usage, error.description, hint: "use the id or more of the title")
        case .otherKind, .reversedRange: self.init(.usage, error.description)
        case .alreadySubscribed: self.init(.success, "already subscribed")
        case .refused(let why): self.init(.badData, why)
        case .newerSchema(let found, let known):
            self.init(
                .configuration, "\(library) has schema version \(found); this program supports versions up to \(known)",
                hint: "it was upgraded by a newer podcastd: use its podcast-refresh")
        case .diskFull: self.init(.ioError, "the disk of \(library) is full")
        case .readOnly(let path): self.init(.noPermission, "cannot write \(path)")
        case .busy: self.init(.tryAgain, "another program has locked \(library)", hint: "try again in a minute")
        case .damaged(let words):
            self.init(
                .badData, "\(library) is damaged: \(words)", hint: "stop podcastd, then run 'podcastd check --repair'")
        case .storage(let words): self.init(.ioError, "\(library): \(words)")
        }
    }
}

/// An address that a user typed or a list contains.
struct GivenAddress {
    /// The address without user name and password.
    let url: String
    let login: FeedLogin?

    /// - Parameter typed: the login of an address without its own.
    init(_ given: String, _ typed: TypedLogin? = nil) {
        guard let credentials = HTTPURL.credentials(of: given) else {
            url = given
            login = typed.map { FeedLogin(feed: given, username: $0.username, password: $0.password) }
            return
        }
        url = HTTPURL.withoutCredentials(given)
        login = FeedLogin(feed: url, username: credentials.username, password: credentials.password)
    }
}
