internal import CommandLineTool
internal import Glibc
internal import PodcastModel
internal import SystemCalls

/// A document from a file or standard input, whose first bytes are known.
final class InputFile {
    /// Nil for standard input.
    let path: String?
    let name: String
    /// The first bytes, at most 64 KiB.
    let head: [UInt8]
    private let file: FileDescriptor
    private static let pieceBytes = 65_536

    /// Opens the file that a command line names; `-` is standard input.
    /// - Parameter givenName: the name of standard input in messages.
    /// - Throws: `noInput` if the file cannot be opened, `ioError` if the file cannot be read.
    init(_ word: String, name givenName: String? = nil) throws(ToolFailure) {
        path = word == "-" ? nil : word
        name = word == "-" ? givenName ?? "standard input" : word
        file = try mapError(of: word == "-" ? FileDescriptor(duplicating: 0) : FileDescriptor.openForReading(word)) {
            (error: SystemError) in
            ToolFailure(.noInput, "\(word): \(error.reason)")
        }
        head = try Self.read(file.raw, name)
    }

    var isDatabase: Bool { head.starts(with: "SQLite format 3\0".utf8) }

    /// The first bytes, at most 4 KiB, without leading spaces and byte order mark.
    var start: ArraySlice<UInt8> { head.drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }.prefix(4096) }

    /// Reads the whole document once, in pieces.
    /// - Parameter take: returns whether more is wanted.
    func read(_ take: (UnsafeRawBufferPointer) throws(ToolFailure) -> Bool) throws(ToolFailure) {
        var piece = head
        while !piece.isEmpty {
            if try !piece.span.bytes.withUnsafeBytes(take) { return }
            piece = try Self.read(file.raw, name)
        }
    }

    /// The whole document, up to a number of bytes.
    func bytes(upTo limit: Int) throws(ToolFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        try read { piece throws(ToolFailure) in
            bytes.append(contentsOf: piece.prefix(limit - bytes.count))
            return bytes.count < limit
        }
        return bytes
    }

    func text(upTo limit: Int) throws(ToolFailure) -> String { String(utf8: try bytes(upTo: limit)) }

    private static func read(_ descriptor: Int32, _ name: String) throws(ToolFailure) -> [UInt8] {
        return try mapError(of: FileDescriptor.read(descriptor, upTo: pieceBytes)) { (error: SystemError) in
            ToolFailure(.ioError, "\(name): \(error.reason)")
        }
    }
}

/// The file of a database, or a temporary copy that is deleted with this object: of standard input, or of a file that has a log
/// beside it, as a running program leaves it.
final class ImportedDatabase {
    /// The file to read.
    let path: String
    private let isCopy: Bool
    private static let largest: Int64 = 4 << 30

    /// - Parameter folder: where a copy is made.
    init(_ input: InputFile, copyingTo folder: String) throws(ToolFailure) {
        let log = input.path.map { $0 + "-wal" }
        let hasLog = log.map { ((try? FileStatus(path: $0))?.size ?? 0) > 0 } ?? false
        isCopy = input.path == nil || hasLog
        path = isCopy ? "\(folder)/.import-\(CurrentProcess.number).db" : input.path ?? ""
        guard isCopy else { return }
        try Self.copy(input, to: path)
        guard hasLog, let log else { return }
        try Self.copy(try InputFile(log), to: path + "-wal")
        try mapError(of: ForeignDatabase.checkpointLog(ofCopy: path)) { (error: MovingError) in
            ToolFailure(.badData, "\(input.name) \(error)")
        }
    }

    private static func copy(_ input: InputFile, to path: String) throws(ToolFailure) {
        var copied: Int64 = 0
        let target = try create(path)
        let number = target.raw
        try input.read { bytes throws(ToolFailure) in
            copied += Int64(bytes.count)
            guard copied <= largest else {
                throw ToolFailure(.badData, "\(input.name): larger than \(largest >> 30) GiB")
            }
            try ToolFailure.wrapping(.ioError) { try FileDescriptor.write(number, bytes) }
            return true
        }
    }

    /// Cuts a text off the end of the copy.
    /// - Parameter bytes: its size; 0 for none.
    func cutText(bytes: Int) throws(ToolFailure) -> String? {
        guard isCopy, bytes > 0 else { return nil }
        return try ToolFailure.wrapping(.ioError) {
            let file = try FileDescriptor.open(path, O_RDWR)
            let start = try FileStatus(of: file.raw).size - Int64(bytes)
            guard start >= 0 else { return nil }
            let text = try StoredFile.read(file.raw, at: start, count: bytes)
            try StoredFile.truncate(file.raw, to: start)
            return String(utf8: text)
        }
    }

    deinit {
        guard isCopy else { return }
        for suffix in ["", "-wal", "-shm"] { try? StoredFile.remove(path + suffix) }
    }

    private static func create(_ path: String) throws(ToolFailure) -> FileDescriptor {
        do throws(SystemError) {
            try StoredFile.remove(path)
            return try FileDescriptor.openPrivate(path, O_WRONLY | O_EXCL | O_NOFOLLOW)
        } catch {
            throw ToolFailure(.cannotCreate, "\(path): \(error.reason)")
        }
    }
}
