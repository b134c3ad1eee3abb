public import PodcastModel

/// The lines of an answer. No value can begin a line of its own.
public struct MPDAnswer: Sendable {
    public private(set) var bytes: [UInt8] = []

    public init() {}

    public var isEmpty: Bool { bytes.isEmpty }

    /// `NAME: TEXT`. Control characters of the text are removed.
    public mutating func add(_ name: String, _ text: String) { write(name + ": ", cleaned: text) }

    public mutating func add(_ name: String, _ number: some BinaryInteger) { write(name + ": ", cleaned: "\(number)") }

    /// Seconds with three decimals.
    public mutating func add(_ name: String, _ time: MediaTime) { add(name, time.inThousandths) }

    public mutating func add(_ name: String, _ isSet: Bool) { add(name, isSet ? 1 : 0) }

    public mutating func add(_ name: String, _ time: Timestamp) { add(name, time.description) }

    /// A piece of a file: `binary: COUNT`, the bytes, a line break.
    public mutating func add(binary piece: ArraySlice<UInt8>) {
        add("binary", piece.count)
        bytes += piece
        bytes.append(0x0A)
    }

    mutating func write(_ prefix: String, cleaned text: String) {
        bytes += prefix.utf8
        bytes += SafeText.line(text).utf8
        bytes.append(0x0A)
    }
}

extension MediaTime {
    /// `12.345`.
    fileprivate var inThousandths: String {
        let thousandths = max(0, nanoseconds / 1_000_000)
        let rest = String(thousandths % 1000)
        return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
