internal import PodcastModel
internal import SystemCalls

/// A program's buffered output. Use on one thread, and call `flush` before the program exits.
public final class ToolOutput {
    private let descriptor: Int32
    private let sink: (([UInt8]) -> Void)?
    private var bytes: [UInt8] = []
    /// True for a screen reader: a row of a list is a sentence, and nothing is aligned or wrapped.
    public var isSpoken = false

    /// `descriptor` 1 is stdout. The caller keeps the descriptor open.
    public init(descriptor: Int32 = 1) {
        self.descriptor = descriptor
        sink = nil
    }

    /// - Parameter sink: gets the output in pieces.
    public init(to sink: @escaping ([UInt8]) -> Void) {
        descriptor = -1
        self.sink = sink
    }

    /// Columns of the terminal; nil for other destinations.
    public var terminalWidth: Int? { Terminal(descriptor: descriptor).width }

    /// - Throws: `ToolFailure` with `ioError` if the buffer cannot be written.
    public func write(_ text: String) throws(ToolFailure) {
        bytes.append(contentsOf: text.utf8)
        try flushIfFull()
    }

    public func line(_ text: String = "") throws(ToolFailure) {
        bytes.append(contentsOf: text.utf8)
        try write("\n")
    }

    public func write(contentsOf more: [UInt8]) throws(ToolFailure) {
        bytes.append(contentsOf: more)
        try flushIfFull()
    }

    private func flushIfFull() throws(ToolFailure) { if bytes.count >= 65_536 { try flush() } }

    public func flush() throws(ToolFailure) {
        defer { bytes.removeAll(keepingCapacity: true) }
        if let sink { return sink(bytes) }
        try mapError(of: FileDescriptor.write(descriptor, bytes)) { (error: SystemError) in
            ToolFailure(.ioError, "cannot write the output: \(error.reason)")
        }
    }
}
