internal import CommandLineTool
internal import Glibc
internal import SystemCalls

/// A document that is handed to the daemon: contents go over the socket, never paths.
enum InputFile {
    private static let maximumBytes = 960_000

    /// Reads a file, or stdin for `-`, as UTF-8.
    static func read(_ path: String) throws(ToolFailure) -> String {
        do throws(SystemError) {
            let bytes: [UInt8]
            if path == "-" {
                bytes = try readAll(0, path)
            } else {
                let file = try FileDescriptor.open(path, O_RDONLY)
                bytes = try readAll(file.raw, path)
            }
            return String(decoding: bytes, as: UTF8.self)
        } catch {
            throw ToolFailure(
                .noInput, error.description,
                hint: error.code == EFBIG
                    ? "use 'podcast-refresh import' for a document of more than \(maximumBytes) bytes" : nil)
        }
    }

    private static func readAll(_ raw: Int32, _ path: String) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= maximumBytes {
            let count = try retrying("read \(path)") {
                piece.withUnsafeMutableBytes { Glibc.read(raw, $0.baseAddress, $0.count) }
            }
            if count == 0 { return bytes }
            bytes += piece[..<count]
        }
        throw SystemError(code: EFBIG, call: "read \(path)")
    }
}
