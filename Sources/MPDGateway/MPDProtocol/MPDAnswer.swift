internal import PodcastModel

/// The lines of an answer. No value can begin a line of its own.
struct MPDAnswer: Sendable {
    private(set) var bytes: [UInt8] = []

    /// `NAME: TEXT`. Control characters of the text are removed.
    mutating func add(_ name: String, _ text: String) { write(name + ": ", cleaned: text) }

    mutating func add(_ name: String, _ number: some BinaryInteger) { write(name + ": ", cleaned: "\(number)") }

    /// Seconds with three decimals.
    mutating func add(_ name: String, _ time: MediaTime) { add(name, time.inThousandths) }

    mutating func add(_ name: String, _ isSet: Bool) { add(name, isSet ? 1 : 0) }

    mutating func add(_ name: String, _ time: Timestamp) { add(name, time.description) }

    /// A piece of a file: `binary: COUNT`, the bytes, a line break.
    mutating func add(binary piece: ArraySlice<UInt8>) {
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
