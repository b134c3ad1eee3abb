internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import Glibc
internal import PodcastModel
internal import Presentation
internal import SystemCalls

/// `download --to`: copies downloaded files into a folder, with names for people. podcastctl reads and writes, so the user's
/// rights count, and the daemon's sandbox need not reach the folder.
///
/// Copies each file separately: a file that cannot be copied is reported, and the other files are still copied.
final class DownloadCopies {
    private let view: View
    private let folder: String
    /// The status of the gravest failure so far.
    private(set) var status = ExitStatus.success
    /// The episodes whose copies were written or found, by the copies' names in lower case, as phones compare names.
    private var owners: [String: EpisodeID] = [:]

    init(_ view: View, to folder: String) throws(ToolFailure) {
        self.view = view
        self.folder = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        guard (try? FileStatus(path: folder))?.isFolder == true else {
            throw ToolFailure(
                .cannotCreate, "\(SafeText.line(folder)): not a folder", hint: "make it first, or name another one")
        }
    }

    /// Copies the file of an episode, or reports why not.
    func copy(_ id: EpisodeID) {
        do throws(ToolFailure) {
            let detail = try view.call(ShowEpisode { $0.episode = id.label })
            let episode = detail.episode.episode
            guard let path = detail.path else {
                throw ToolFailure(
                    .tryAgain, "\(SafeText.line(episode.title)): its file is no longer on disk",
                    hint: "run the command again")
            }
            try copy(episode, from: path)
        } catch {
            report(error)
        }
    }

    func report(_ failure: ToolFailure) {
        status = .gravest(status, failure.status)
        ControlProgram.declaration.report(failure, to: view.streams)
    }

    private func copy(_ episode: Episode, from path: String) throws(ToolFailure) {
        let source = try mapError(of: FileDescriptor.openForReading(path)) { (error: SystemError) in
            ToolFailure(
                .noPermission,
                "cannot read the daemon's file of '\(SafeText.line(episode.title))': \(error.description)",
                hint: "run the command on the daemon's machine, as its user or with sudo")
        }
        do throws(SystemError) {
            let beginning = try StoredFile.read(source.raw, at: 0, count: 64)
            let name = CopyName(
                episode, ShownTime(offset: view.times.offset, isComplete: false).date(episode.published),
                MediaName.ending(beginning: beginning) ?? MediaName.ending(ofURL: episode.enclosure.url) ?? "audio")
            let distinct = name.text(with: episode.id.label)
            let isDistinct = (try? FileStatus(ofLink: "\(folder)/\(distinct)")) != nil
            // Another episode may have the same name; its file stays.
            for name in isDistinct ? [distinct] : [name.text, distinct] {
                if let owner = owners[name.lowercased()], owner != episode.id { continue }
                let target = "\(folder)/\(name)"
                let isWritten = try write(source, target)
                let isThere = isWritten ? false : try isCopy(target, of: source)
                guard isWritten || isThere else { continue }
                owners[name.lowercased()] = episode.id
                return printProgress("\(isThere ? "already there" : "copied"): \(target)")
            }
            throw SystemError(code: EEXIST, call: "\(folder)/\(distinct)")
        } catch {
            throw ToolFailure(
                .cannotCreate, "cannot copy '\(SafeText.line(episode.title))': \(error.description)",
                hint: "remove what is in the way, make room, or name another folder")
        }
    }

    /// Shows progress; a copy is complete although its line cannot be written.
    private func printProgress(_ line: String) {
        if view.isForProgram { return }
        view.line(line)
        try? view.output.flush()
    }

    /// Writes a new file, whole or not at all.
    /// - Returns: false if the name is in use.
    private func write(_ source: borrowing FileDescriptor, _ target: String) throws(SystemError) -> Bool {
        if (try? FileStatus(ofLink: target)) != nil { return false }
        let temporary = target + ".part"
        do throws(SystemError) {
            let file = try FileDescriptor.open(temporary, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: 0o666)
            var offset: Int64 = 0
            while true {
                let bytes = try StoredFile.read(source.raw, at: offset, count: Self.pieceSize)
                if bytes.isEmpty { break }
                try StoredFile.write(file.raw, at: offset, bytes)
                offset += Int64(bytes.count)
            }
            try StoredFile.synchronize(file.raw)
            try StoredFile.rename(temporary, to: target)
            return true
        } catch {
            try? StoredFile.remove(temporary)
            throw error
        }
    }

    private func isCopy(_ target: String, of source: borrowing FileDescriptor) throws(SystemError) -> Bool {
        guard let status = try FileStatus(ofLink: target), status.isRegular,
            status.size == (try FileStatus(of: source.raw).size)
        else { return false }
        let file = try FileDescriptor.openForReading(target)
        var offset: Int64 = 0
        while offset < status.size {
            let bytes = try StoredFile.read(source.raw, at: offset, count: Self.pieceSize)
            if bytes.isEmpty { break }
            if try StoredFile.read(file.raw, at: offset, count: Self.pieceSize) != bytes { return false }
            offset += Int64(bytes.count)
        }
        return true
    }

    private static let pieceSize = 1 << 20
}

/// The name of an episode's copy: `2026-11-23 Show - Title.mp3`. Every file system takes the name, also that of a phone.
struct CopyName {
    private let stem: String
    private let ending: String

    /// Bytes of the name without its ending and the id that makes the name unique.
    private static let mostBytes = 200

    init(_ episode: Episode, _ date: String, _ ending: String) {
        self.ending = ending
        let show = Self.safe(episode.feedTitle)
        // A title may be a file's name.
        var title = Self.safe(episode.title)
        if title.lowercased().hasSuffix(".\(ending)") { title.removeLast(ending.count + 1) }
        stem = Self.shortened("\(date) \(show.isEmpty ? "" : "\(show) - ")\(title)")
    }

    var text: String { "\(stem).\(ending)" }
    func text(with mark: String) -> String { "\(stem) [\(mark)].\(ending)" }

    /// Replaces characters that FAT, exFAT or a path cannot contain.
    private static func safe(_ text: String) -> String {
        String(SafeText.line(text).map { "/\\:*?\"<>|".contains($0) ? "_" : $0 })
            .split(separator: " ").map(String.init).joinedText(" ")
    }

    private static func shortened(_ text: String) -> String {
        var short = text
        while short.utf8.count > mostBytes { short.removeLast() }
        while let last = short.last, last == " " || last == "." { short.removeLast() }
        return short
    }
}
