internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import SystemCalls

/// A document for the daemon: its contents are sent over the socket, never its path.
final class InputFile {
    /// Bytes of a text that is sent within its command. JSON may double them.
    private static let shortBytes = 400_000
    /// Bytes of one piece of a longer document, or of one that is not text.
    private static let pieceBytes = 600_000

    private let file: FileDescriptor
    private let path: String
    private var head: [UInt8]

    /// Opens a file, or stdin for `-`.
    init(_ path: String) throws(ToolFailure) {
        self.path = path
        do throws(SystemError) {
            file = try path == "-" ? FileDescriptor(duplicating: 0) : FileDescriptor.openForReading(path)
        } catch {
            throw ToolFailure(.noInput, error.description)
        }
        head = []
        head = try readPiece()
    }

    /// Whether a word is the path of a file.
    static func isFile(_ word: String) -> Bool {
        if word.utf8.contains(UInt8(ascii: ":")) { return false }
        if case .regular? = try? FileKind(at: word) { return true }
        return false
    }

    /// Whether it is an SQLite database.
    var isDatabase: Bool { head.starts(with: Array("SQLite format 3\0".utf8)) }

    /// Sends the document, unless it fits into the command itself.
    ///
    /// - Returns: the command that imports it.
    func send(
        over client: ControlConnection, for command: ImportDocument
    ) throws(ToolFailure) -> ImportDocument {
        if head.count <= Self.shortBytes, let text = String(validating: head, as: UTF8.self) {
            var command = command
            command.document = text
            return command
        }
        while !head.isEmpty {
            do throws(ClientFailure) {
                _ = try client.call(UploadDocument { $0.data = Base64.text(of: head) })
            } catch {
                throw ToolFailure(error)
            }
            head = try readPiece()
        }
        return command
    }

    /// Reads until a piece is full or the end is reached.
    private func readPiece() throws(ToolFailure) -> [UInt8] {
        do throws(SystemError) {
            return try file.read(upTo: Self.pieceBytes)
        } catch {
            throw ToolFailure(.noInput, "\(path): \(error.reason)")
        }
    }
}
