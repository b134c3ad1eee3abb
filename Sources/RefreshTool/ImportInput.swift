internal import CommandLineTool
internal import Glibc
internal import SystemCalls

/// What an import can be made of.
enum ImportForm: Hashable {
    /// A list of subscriptions.
    case opml
    case feed
    /// The state of another library of ours.
    case state
    /// Another program's database, or newsboat's list of addresses.
    case program(ForeignProgram)

    /// Its word for `--from` and in answers.
    var name: String {
        switch self {
        case .opml: "opml"
        case .feed: "feed"
        case .state: "state"
        case .program(let program): program.rawValue
        }
    }

    static let all: [ImportForm] = [.opml, .feed, .state] + ForeignProgram.allCases.map(ImportForm.program)
}

/// A document to import, from a file or standard input, whose first bytes were looked at.
final class ImportInput {
    /// The file; nil for standard input.
    let path: String?
    /// Its name for people.
    let name: String
    private let file: FileDescriptor
    private let head: [UInt8]
    /// Bytes it has, where that is known.
    private let size: Int64?
    private var readBytes: Int64 = 0
    private static let pieceBytes = 65_536
    private static let databaseMark = Array("SQLite format 3\0".utf8)

    /// Opens what a command line names.
    ///
    /// - Throws: `noInput` when it cannot be opened, `ioError` when it cannot be read.
    ///
    /// - Parameter givenName: what messages call standard input.
    init(_ word: String, name givenName: String? = nil) throws(ToolFailure) {
        path = word == "-" ? nil : word
        name = word == "-" ? givenName ?? "standard input" : word
        do throws(SystemError) {
            file = try word == "-" ? FileDescriptor(duplicating: 0) : FileDescriptor.openForReading(word)
        } catch {
            throw ToolFailure(.noInput, "\(word): \(error.reason)")
        }
        let status = try? FileStatus(of: file.raw)
        size = status.flatMap { $0.isRegular && $0.size > 0 ? $0.size : nil }
        head = try Self.read(file.raw, upTo: Self.pieceBytes, word)
    }

    /// How much of it was read, 0 to 1; nil if the length is unknown.
    var fraction: Double? { size.map { min(Double(readBytes) / Double($0), 1) } }

    /// Whether it is an SQLite database.
    var isDatabase: Bool { head.starts(with: Self.databaseMark) }

    /// What its first bytes say it is; of a database its tables must tell.
    var textForm: ImportForm {
        let text = head.drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
        let start = String(decoding: text.prefix(4096), as: UTF8.self).lowercased()
        if text.first == UInt8(ascii: "{") { return start.contains("jsonfeed.org/version/") ? .feed : .state }
        if !start.contains("<opml"), ["<rss", "<rdf:rdf", "<feed", "<channel"].contains(where: start.contains) {
            return .feed
        }
        let lines = text.prefix(4096).split(separator: UInt8(ascii: "\n"))
        let first = lines.first { $0.first != UInt8(ascii: "#") && $0.first != UInt8(ascii: "\r") }
        let isList = first.map { $0.starts(with: "http://".utf8) || $0.starts(with: "https://".utf8) } ?? false
        return isList ? .program(.newsboat) : .opml
    }

    /// Reads all of it, once, in pieces.
    ///
    /// - Parameter take: returns whether more is wanted.
    func read(_ take: (UnsafeRawBufferPointer) throws(ToolFailure) -> Bool) throws(ToolFailure) {
        var piece = head
        while !piece.isEmpty {
            readBytes += Int64(piece.count)
            let outcome = piece.withUnsafeBytes { bytes in
                Result { () throws(ToolFailure) in try take(bytes) }
            }
            if try !outcome.get() { return }
            piece = try Self.read(file.raw, upTo: Self.pieceBytes, name)
        }
    }

    /// Its whole text, up to this number of bytes.
    func text(upTo limit: Int) throws(ToolFailure) -> String {
        String(decoding: try bytes(upTo: limit), as: UTF8.self)
    }

    /// All of it, up to this number of bytes.
    func bytes(upTo limit: Int) throws(ToolFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        try read { piece throws(ToolFailure) in
            bytes.append(contentsOf: piece)
            return bytes.count < limit
        }
        return Array(bytes.prefix(limit))
    }

    private static func read(_ descriptor: Int32, upTo count: Int, _ name: String) throws(ToolFailure) -> [UInt8] {
        do throws(SystemError) {
            return try FileDescriptor.read(descriptor, upTo: count)
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
    init(_ input: ImportInput, copyingTo folder: String) throws(ToolFailure) {
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
        let log = try ImportInput(source + "-wal")
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
