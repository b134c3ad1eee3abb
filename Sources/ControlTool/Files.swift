internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import SystemCalls

/// A media file that is played or queued by its path: podcastctl opens it, so that the user's rights count, and hands the
/// descriptor to the daemon.
enum HandedFile {
    /// Whether a word is a path: one that begins with a folder, or the name of a media file that exists or has a folder. A title is
    /// never mistaken for a file, because other words need the ending of a media file.
    static func isPath(_ word: String) -> Bool {
        if ["/", "./", "../"].contains(where: word.hasPrefix) { return true }
        guard MediaName.isMedia(word), !word.contains("://") else { return false }
        if word.contains("/"), !word.contains(" ") { return true }
        return (try? FileStatus(path: word))?.isRegular == true
    }

    /// The id of the file's episode, as a word of a command.
    static func episode(_ path: String, _ view: View) throws(ToolFailure) -> String {
        let (file, absolute) = try open(path)
        return try view.call(HandOverFile { $0.path = absolute }, file: file).episode.id.label
    }

    /// Bytes of a message that comes through a pipe: an hour at 128 kbit/s.
    private static let pipedBytes = 64 << 20

    /// Opens a file for a message, or reads one that comes through a pipe: `-` for stdin, or `<(…)` of a shell.
    static func message(_ path: String) throws(ToolFailure) -> (OpenFile, path: String) {
        if path != "-", try ToolFailure.wrapping(.noInput, { try FileStatus(path: path).isRegular }) {
            return try open(path)
        }
        let bytes = try ToolFailure.wrapping(.noInput, subject: SafeText.line(path)) {
            try FileDescriptor.input(path).read(upTo: pipedBytes + 1)
        }
        if bytes.isEmpty { throw ToolFailure(.noInput, "\(SafeText.line(path)): nothing came through the pipe") }
        if bytes.count > pipedBytes {
            throw ToolFailure(.badData, "\(SafeText.line(path)): longer than \(ByteSize.text(Int64(pipedBytes)))")
        }
        return try ToolFailure.wrapping(.ioError) {
            let file = try MemoryFile(name: "podcast-message")
            let writing = try file.openForWriting()
            try StoredFile.write(writing.raw, at: 0, bytes)
            return (OpenFile(try file.openForReading()), "/message")
        }
    }

    static func open(_ path: String) throws(ToolFailure) -> (OpenFile, path: String) {
        // Opening a named pipe would block.
        guard try ToolFailure.wrapping(.noInput, { try FileStatus(path: path).isRegular }) else {
            throw ToolFailure(.noInput, "\(SafeText.line(path)): not a regular file")
        }
        return try ToolFailure.wrapping(.noInput) {
            (OpenFile(try FileDescriptor.openForReading(path)), try CurrentProcess.realPath(path))
        }
    }
}

/// A document for the daemon: its contents are sent over the socket, never its path.
final class InputFile {
    /// Bytes of a text that is sent within its command. JSON may double them.
    private static let shortBytes = 400_000
    /// Bytes of one piece of a longer document, or of one that is not text.
    private static let pieceBytes = 600_000

    private let file: FileDescriptor
    private let path: String
    private var head: [UInt8]

    init(_ path: String) throws(ToolFailure) {
        self.path = path
        file = try ToolFailure.wrapping(.noInput) { try FileDescriptor.input(path) }
        head = []
        head = try readPiece()
    }

    static func isFile(_ word: String) -> Bool {
        !word.utf8.contains(.colon) && (try? FileStatus(path: word))?.isRegular == true
    }

    var isDatabase: Bool { head.starts(with: Array("SQLite format 3\0".utf8)) }

    /// Sends the document, unless it fits into the command itself.
    ///
    /// - Returns: the command that imports the document.
    func send(_ view: View, for command: ImportDocument) throws(ToolFailure) -> ImportDocument {
        if head.count <= Self.shortBytes, let text = String(validating: head, as: UTF8.self) {
            var command = command
            command.document = text
            return command
        }
        while !head.isEmpty {
            _ = try view.call(UploadDocument { $0.data = Base64.text(of: head) })
            head = try readPiece()
        }
        return command
    }

    /// Reads until a piece is full or the end is reached.
    private func readPiece() throws(ToolFailure) -> [UInt8] {
        return try mapError(of: file.read(upTo: Self.pieceBytes)) { (error: SystemError) in
            ToolFailure(.noInput, "\(path): \(error.reason)")
        }
    }
}

extension FileDescriptor {
    /// Opens a file, or stdin for `-`.
    static func input(_ path: String) throws(SystemError) -> FileDescriptor {
        try path == "-" ? FileDescriptor(duplicating: 0) : openForReading(path)
    }
}
