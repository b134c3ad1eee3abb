internal import Glibc
internal import SystemCalls

/// A program's output: gathered and written with few calls. One thread; `flush` before the program ends.
public final class ToolOutput {
    private let descriptor: Int32
    private var bytes: [UInt8] = []

    /// An output to a descriptor, 1 for stdout. The descriptor stays the caller's.
    public init(descriptor: Int32 = 1) { self.descriptor = descriptor }

    /// Adds text as it is.
    ///
    /// - Throws: `ToolFailure` with `ioError` when what was gathered cannot be written.
    public func write(_ text: String) throws(ToolFailure) {
        bytes.append(contentsOf: text.utf8)
        if bytes.count >= 65_536 { try flush() }
    }

    /// Adds a line.
    public func line(_ text: String = "") throws(ToolFailure) {
        bytes.append(contentsOf: text.utf8)
        try write("\n")
    }

    /// Adds bytes as they are.
    public func write(contentsOf more: [UInt8]) throws(ToolFailure) {
        bytes.append(contentsOf: more)
        if bytes.count >= 65_536 { try flush() }
    }

    /// Writes what was gathered.
    public func flush() throws(ToolFailure) {
        var rest = bytes[...]
        bytes.removeAll(keepingCapacity: true)
        while !rest.isEmpty {
            do throws(SystemError) {
                let written = try retrying("writing output") {
                    rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                }
                rest = rest.dropFirst(written)
            } catch {
                throw ToolFailure(.ioError, error.description)
            }
        }
    }
}
