internal import PodcastModel
internal import SystemCalls

/// A program's output. Use on one thread, and call `flush` before the program exits, which reports also failures of earlier
/// writes: a program need not stop at the first line that cannot be written.
public final class ToolOutput {
    private let descriptor: Int32
    private let sink: (([UInt8]) -> Void)?
    /// Bytes that are kept until there are more.
    var capacity = 65_535
    private var bytes: [UInt8] = []
    private var failure: ToolFailure?
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

    public func write(_ text: String) { write(contentsOf: Array(text.utf8)) }

    public func line(_ text: String = "") { write(text + "\n") }

    public func write(contentsOf more: [UInt8]) {
        bytes += more
        if bytes.count > capacity { send() }
    }

    /// - Throws: `ToolFailure` with `ioError` if something could not be written.
    public func flush() throws(ToolFailure) {
        send()
        if let failure { throw failure }
    }

    private func send() {
        defer { bytes.removeAll(keepingCapacity: true) }
        if let sink { return sink(bytes) }
        do throws(SystemError) {
            if failure == nil { try FileDescriptor.write(descriptor, bytes) }
        } catch {
            failure = ToolFailure(.ioError, "cannot write the output: \(error.reason)")
        }
    }
}
