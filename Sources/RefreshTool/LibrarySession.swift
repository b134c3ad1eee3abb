internal import CommandLineTool
internal import Configuration
internal import FeedRefresh
internal import Glibc
internal import HTTP
internal import Library
internal import LibraryModel
internal import Logins
internal import PodcastModel
internal import ShowNotes
internal import SystemCalls

/// An open library, and its errors in the words of a command line.
struct LibrarySession {
    let store: any LibraryStores
    let folder: DataFolder
    /// Where logins are kept.
    let loginFile: LoginFile
    private var logins: LoginTable

    /// Opens the library of a folder, or makes it.
    init(_ folder: DataFolder, variable: (String) -> String?) throws(ToolFailure) {
        self.folder = folder
        try folder.make()
        let home = variable("HOME")
        PrivateFolder.correct(folder.path, home: home, files: DataFolder.isOurs)
        PrivateFolder.correct(folder.backups, home: home, files: DataFolder.isBackup)
        loginFile = LoginFile(folder: folder.path, credentials: variable("CREDENTIALS_DIRECTORY"))
        logins = try Self.read(loginFile)
        do throws(LibraryError) {
            let store = try LibraryStore(path: folder.library, options: .refresher)
            store.notesReader = HTMLNotesReader()
            self.store = store
        } catch {
            throw ToolFailure(error, library: folder.library)
        }
    }

    private static func read(_ file: LoginFile) throws(ToolFailure) -> LoginTable {
        do throws(SystemError) {
            return try file.read()
        } catch {
            throw ToolFailure(.noPermission, "the logins of feeds cannot be read: \(error)")
        }
    }

    /// The same with the logins that were kept since.
    func withLoginsOfNow() throws(ToolFailure) -> LibrarySession {
        var session = self
        session.logins = try Self.read(loginFile)
        return session
    }

    /// Asks or tells the library something, by names of such a kind.
    func perform<Result>(
        naming kind: NamedKind = .feed, _ body: (any LibraryStores) throws(LibraryError) -> Result
    ) throws(ToolFailure) -> Result {
        do throws(LibraryError) {
            return try body(store)
        } catch {
            throw ToolFailure(error, library: folder.library, naming: kind)
        }
    }

    /// How the requests for a feed are made.
    func access(_ target: RefreshTarget) -> HTTPAccess {
        HTTPAccess(userAgent: target.userAgent, login: login(of: target)?.requestLogin)
    }

    /// What a feed is logged in to with.
    func login(of target: RefreshTarget) -> FeedLogin? {
        if logins.isEmpty { return nil }
        if let login = logins.login(ofFeedAt: [target.url]) { return login }
        return (try? store.feeds.feed(target.id)).flatMap { logins.login(ofFeedAt: $0.formerURLs) }
    }

    /// How is asked for what a feed names: as the feed itself, and on a private network at the feed's own host alone.
    func access(toWhatIsNamedBy id: FeedID) -> HTTPAccess {
        guard let feed = try? store.feeds.feed(id) else { return HTTPAccess() }
        return HTTPAccess(
            userAgent: try? store.feeds.settings(of: id)[FeedSetting.userAgent.rawValue],
            login: logins.login(ofFeedAt: [feed.url] + feed.formerURLs)?.requestLogin,
            namedHosts: [HTTPURL.host(of: feed.url) ?? ""])
    }

    /// How a URL is asked for that belongs to no feed of the library yet.
    func access(toURL url: String) -> HTTPAccess {
        HTTPAccess(login: logins.login(ofFeedAt: [url])?.requestLogin)
    }

    /// Keeps the name and password that stood in a feed's URL.
    func keep(_ login: FeedLogin) throws(ToolFailure) {
        do throws(SystemError) {
            try loginFile.update([login.feed]) { kept in
                kept.username = login.username
                kept.password = login.password
            }
        } catch {
            throw ToolFailure(.ioError, "the feed's login cannot be kept: \(error)")
        }
    }

    /// An error of this library.
    func failure(_ error: LibraryError) -> ToolFailure { ToolFailure(error, library: folder.library) }
}

/// Reads notes with the parser that the daemon does without.
private struct HTMLNotesReader: NotesReader {
    func text(ofNotes written: String) -> MarkedText { NotesText(written).text }
}

extension DataFolder {
    /// Makes the folder and those above it, for the user alone: mkdir(2).
    func make() throws(ToolFailure) {
        do throws(SystemError) {
            try StoredFile.makeFolder(path)
        } catch {
            throw ToolFailure(
                error.code == EACCES || error.code == EROFS ? .noPermission : .cannotCreate,
                "cannot create the folder \(path): \(error.reason)")
        }
    }
}

/// What a name on a command line means.
enum NamedKind: String {
    case feed, episode
}

extension ToolFailure {
    /// The one place where the library's errors become exit statuses and messages.
    init(_ error: LibraryError, library: String, naming kind: NamedKind = .feed) {
        switch error {
        case .notFound(let what) where kind == .feed:
            self.init(.noInput, "no feed is called '\(what)'", hint: "'podcast-refresh export' lists all feeds")
        case .notFound(let what):
            self.init(
                .noInput, "no episode is called '\(what)'", hint: "'podcastctl episodes' lists them with their numbers")
        case .ambiguous(let what, let candidates):
            self.init(
                .noInput, "'\(what)' fits several \(kind.rawValue)s: \(candidates.joined(separator: ", "))",
                hint: "write more of the title, or the address")
        case .alreadySubscribed: self.init(.success, "already subscribed")
        case .refused(let why): self.init(.badData, why)
        case .newerSchema(let found, let known):
            self.init(
                .configuration, "\(library) has version \(found); this program knows versions up to \(known)",
                hint: "a newer podcastd made it: use its podcast-refresh")
        case .diskFull: self.init(.ioError, "the disk of \(library) is full")
        case .readOnly(let path): self.init(.noPermission, "\(path) cannot be written")
        case .busy:
            self.init(.tryAgain, "another program keeps \(library) busy", hint: "try again in a minute")
        case .damaged(let words):
            self.init(
                .badData, "\(library) is damaged: \(words)", hint: "a backup, if there is one, lies beside it")
        case .storage(let words): self.init(.ioError, "\(library): \(words)")
        }
    }
}

/// An address that somebody typed or a list holds, with what is secret in it taken out.
struct GivenAddress {
    /// The address without user name and password.
    let url: String
    /// What was taken out of it; nil for nothing.
    let login: FeedLogin?

    init(_ given: String) {
        guard let credentials = HTTPURL.credentials(of: given) else {
            url = given
            login = nil
            return
        }
        url = HTTPURL.withoutCredentials(given)
        login = FeedLogin(feed: url, username: credentials.username, password: credentials.password)
    }
}
