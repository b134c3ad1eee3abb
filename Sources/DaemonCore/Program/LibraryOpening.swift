internal import CommandLineTool
internal import Configuration
internal import ControlLanguage
internal import Glibc
internal import Library
internal import LineServing
internal import SystemCalls

/// The first steps of a start: folders, the lock, the library.
enum LibraryOpening {
    /// Creates the folders of library, cache and socket, readable by this user only.
    static func makeFolders(_ places: Places) throws(ToolFailure) {
        for folder in [places.data.path, places.cache, StoredFile.folder(of: places.socket)] {
            do throws(SystemError) {
                try StoredFile.makeFolder(folder)
                try FileAccess([.write, .execute]).check(folder)
            } catch {
                throw ToolFailure(
                    .cannotCreate, "cannot write to \(folder): \(error.reason)",
                    hint: "choose another folder with --data-dir, --cache-dir and --socket, or fix its permissions")
            }
        }
        let home = CurrentProcess.variable("HOME")
        PrivateFolder.correct(places.data.path, home: home, files: DataFolder.isOurs)
        PrivateFolder.correct(places.data.backups, home: home, files: DataFolder.isBackup)
    }

    /// Locks the library for a role for the life of the lock.
    static func lock(_ places: Places, as role: LibraryLock.Role = .daemon) throws(ToolFailure) -> LibraryLock {
        do throws(LibraryLockError) {
            return try LibraryLock(role, in: places.data.path)
        } catch {
            func place(_ process: Int32?) -> String {
                "\(places.data.path) (\(process.map { "process \($0)" } ?? "another process"))"
            }
            throw switch (error, role) {
            case (.held(let process), .daemon):
                ToolFailure(
                    .unavailable, "podcastd is already running on \(place(process))",
                    hint: "stop it first, or use another --data-dir")
            case (.held(let process), .refresher):
                ToolFailure(
                    .tryAgain, "podcast-refresh is running on \(place(process))", hint: "try again when it has ended")
            case (.unavailable(let words), _): ToolFailure(.cannotCreate, words)
            }
        }
    }

    /// The service manager's sockets, else a new one.
    static func listeners(_ inherited: [Int32], _ places: Places) throws(ToolFailure) -> [LineListener] {
        try ToolFailure.wrapping(.unavailable, hint: "stop the other daemon, or choose another --socket") {
            if inherited.isEmpty { return [try LineListener(path: places.socket)] }
            return try inherited.map { try LineListener(adopting: FileDescriptor(owning: $0)) }
        }
    }
}

extension ToolFailure {
    /// Why the daemon does not start, with the exit status for it.
    init(starting error: any Error) {
        switch error {
        case let error as ToolFailure: self = error
        case let error as SettingProblem: self.init(.configuration, error.description)
        case let error as InvalidOutput:
            self.init(.configuration, error.description, hint: "see podcastd --help for the outputs")
        case let error as LibraryError:
            let told = ControlError(reporting: error)
            let status: ExitStatus =
                switch error {
                case .newerSchema: .configuration
                case .damaged: .badData
                case .busy: .tryAgain
                case .diskFull, .storage: .ioError
                case .readOnly: .noPermission
                case .notFound, .ambiguous, .otherKind, .reversedRange, .inexact, .alreadySubscribed, .refused:
                    .software
                }
            self.init(status, told.what, hint: told.hint)
        case let error as SystemError: self.init(error.code == EACCES ? .noPermission : .unavailable, error.description)
        default: self.init(.unavailable, ControlError(reporting: error).what)
        }
    }
}
