internal import CommandLineTool
internal import Glibc
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
        do throws(SystemError) {
            file = try word == "-" ? FileDescriptor(duplicating: 0) : FileDescriptor.openForReading(word)
        } catch {
            throw ToolFailure(.noInput, "\(word): \(error.reason)")
        }
        head = try Self.read(file.raw, name)
    }

    var isDatabase: Bool { head.starts(with: "SQLite format 3\0".utf8) }

    /// The first bytes, at most 4 KiB, without leading spaces and byte order mark.
    var start: ArraySlice<UInt8> {
        head.drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }.prefix(4096)
    }

    /// Reads the whole document once, in pieces.
    /// - Parameter take: returns whether more is wanted.
    func read(_ take: (UnsafeRawBufferPointer) throws(ToolFailure) -> Bool) throws(ToolFailure) {
        var piece = head
        while !piece.isEmpty {
            let outcome = piece.withUnsafeBytes { bytes in
                Result { () throws(ToolFailure) in try take(bytes) }
            }
            if try !outcome.get() { return }
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

    func text(upTo limit: Int) throws(ToolFailure) -> String {
        String(decoding: try bytes(upTo: limit), as: UTF8.self)
    }

    private static func read(_ descriptor: Int32, _ name: String) throws(ToolFailure) -> [UInt8] {
        do throws(SystemError) {
            return try FileDescriptor.read(descriptor, upTo: pieceBytes)
        } catch {
            throw ToolFailure(.ioError, "\(name): \(error.reason)")
        }
    }
}

/// A database that can be read where it lies, or a copy that goes with this object: one that came by standard input, or
/// that has a log beside it, as a running program leaves it.
final class ImportedDatabase {
    /// The file to read.
    let path: String
    private let isCopy: Bool
    private static let largest: Int64 = 4 << 30

    /// - Parameters:
    ///   - folder: takes a copy, where one is needed.
    init(_ input: InputFile, copyingTo folder: String) throws(ToolFailure) {
        if let path = input.path, !Self.hasLog(path) {
            self.path = path
            isCopy = false
            return
        }
        path = "\(folder)/.import-\(CurrentProcess.number).db"
        isCopy = true
        var copied: Int64 = 0
        let target = try Self.create(path)
        let number = target.raw
        try input.read { bytes throws(ToolFailure) in
            copied += Int64(bytes.count)
            guard copied <= Self.largest else {
                throw ToolFailure(.badData, "\(input.name): larger than \(Self.largest >> 30) GiB")
            }
            try Self.write(bytes, to: number)
            return true
        }
        guard let source = input.path else { return }
        let log = try InputFile(source + "-wal")
        let copy = try Self.create(path + "-wal")
        let logNumber = copy.raw
        try log.read { bytes throws(ToolFailure) in
            try Self.write(bytes, to: logNumber)
            return true
        }
        do throws(MovingError) {
            try ForeignDatabase.foldLog(intoCopy: path)
        } catch {
            throw ToolFailure(.badData, "\(source) \(error)")
        }
    }

    /// Cuts a text off the end of the copy.
    /// - Parameter bytes: its size; 0 for none.
    func cutText(bytes: Int) throws(ToolFailure) -> String? {
        guard isCopy, bytes > 0 else { return nil }
        do throws(SystemError) {
            let file = try FileDescriptor.open(path, O_RDWR)
            let start = try FileStatus(of: file.raw).size - Int64(bytes)
            guard start >= 0 else { return nil }
            let text = try StoredFile.read(file.raw, at: start, count: bytes)
            try StoredFile.truncate(file.raw, to: start)
            return String(decoding: text, as: UTF8.self)
        } catch {
            throw ToolFailure(.ioError, error.description)
        }
    }

    deinit {
        guard isCopy else { return }
        for suffix in ["", "-wal", "-shm"] { try? StoredFile.remove(path + suffix) }
    }

    private static func hasLog(_ path: String) -> Bool {
        ((try? FileStatus(path: path + "-wal"))?.size ?? 0) > 0
    }

    private static func create(_ path: String) throws(ToolFailure) -> FileDescriptor {
        do throws(SystemError) {
            try StoredFile.remove(path)
            return try FileDescriptor.openPrivate(path, O_WRONLY | O_EXCL | O_NOFOLLOW)
        } catch {
            throw ToolFailure(.cannotCreate, "\(path): \(error.reason)")
        }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(ToolFailure) {
        do throws(SystemError) {
            try FileDescriptor.write(descriptor, bytes)
        } catch {
            throw ToolFailure(.ioError, error.description)
        }
    }
}
