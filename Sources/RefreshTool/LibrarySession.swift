internal import CommandLineTool
internal import Configuration
internal import Glibc
internal import Library
internal import LibraryModel

/// What the commands need of the library.
typealias SessionStores = FeedStore & RefreshStore & MovingStore & RuleStore & RetentionStore

/// An open library, and its errors in the words of a command line.
struct LibrarySession {
    let store: any SessionStores
    let folder: DataFolder

    /// Opens the library of a folder, or makes it.
    init(_ folder: DataFolder) throws(ToolFailure) {
        self.folder = folder
        try folder.make()
        do throws(LibraryError) {
            store = try LibraryStore(path: folder.library, options: .refresher)
        } catch {
            throw ToolFailure(error, library: folder.library)
        }
    }

    /// Asks or tells the library something.
    func perform<Result>(_ body: (any SessionStores) throws(LibraryError) -> Result) throws(ToolFailure)
        -> Result
    {
        do throws(LibraryError) {
            return try body(store)
        } catch {
            throw failure(error)
        }
    }

    /// An error of this library.
    func failure(_ error: LibraryError) -> ToolFailure { ToolFailure(error, library: folder.library) }
}

extension DataFolder {
    /// Makes the folder and those above it, for the user alone: mkdir(2).
    func make() throws(ToolFailure) {
        var end = path.startIndex
        while end < path.endIndex {
            end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
            let folder = String(path[..<end])
            if mkdir(folder, 0o700) != 0, errno != EEXIST, errno != EISDIR {
                let code = errno
                if access(folder, F_OK) == 0 { continue }
                throw ToolFailure(
                    code == EACCES || code == EROFS ? .noPermission : .cannotCreate,
                    "cannot make the folder \(folder): \(String(cString: strerror(code)))")
            }
        }
    }
}

extension ToolFailure {
    /// The one place where the library's errors become exit statuses and messages.
    init(_ error: LibraryError, library: String) {
        switch error {
        case .notFound(let what):
            self.init(.noInput, "no feed is called '\(what)'", hint: "'podcast-refresh export' lists all feeds")
        case .ambiguous(let what, let candidates):
            self.init(
                .noInput, "'\(what)' fits several feeds: \(candidates.joined(separator: ", "))",
                hint: "write more of the title, or the address")
        case .alreadySubscribed: self.init(.success, "already subscribed")
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
