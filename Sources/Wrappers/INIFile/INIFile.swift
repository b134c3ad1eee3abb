internal import CInih

/// One `name = value` line of a configuration file.
public struct INIEntry: Equatable, Sendable {
    /// Empty before the first section.
    public var section: String
    public var name: String
    public var value: String
    /// From 1.
    public var line: Int
}

/// A parsed configuration file: all entries in order, and the lines that could not be parsed.
public struct INIFile: Equatable, Sendable {
    /// In bytes, including the line's end.
    static let longestLine = 4096
    /// In bytes, without the line's end.
    public static let longestContent = longestLine - 2

    public private(set) var entries: [INIEntry] = []
    /// Numbers of lines that are not a section, entry or comment, or that are too long.
    public private(set) var badLines: [Int] = []

    /// Parses a file's text: ini_parse_stream().
    ///
    /// inih reports no line numbers, so the reader callback passes one line at a time and counts.
    public init(parsing text: String) {
        let context = Context(lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(Array.init(_:)))
        let pointer = unsafe Unmanaged.passUnretained(context).toOpaque()
        // inih reports only the first bad line, so the text is parsed again until all bad lines are known.
        while true {
            let failed = unsafe shim_parse(
                { buffer, capacity, stream in
                    unsafe Context.from(stream).readLine(into: buffer, capacity: Int(capacity))
                },
                pointer,
                { user, section, name, value in
                    guard let section = unsafe section, let name = unsafe name, let value = unsafe value else {
                        return 0
                    }
                    unsafe Context.from(user).add(
                        section: String(cString: section), name: String(cString: name), value: String(cString: value))
                    return 1
                }, pointer)
            guard failed > 0 else { break }
            context.restart(without: Int(failed))
        }
        entries = context.entries
        badLines = context.badLines.sorted()
    }

    /// State shared by the callbacks, used only on the thread of `init`.
    private final class Context {
        private var lines: [[UInt8]]
        private var next = 0
        var entries: [INIEntry] = []
        var badLines: Set<Int> = []

        init(lines: [[UInt8]]) { self.lines = lines }

        static func from(_ pointer: UnsafeMutableRawPointer?) -> Context {
            unsafe Unmanaged<Context>.fromOpaque(pointer!).takeUnretainedValue()
        }

        /// Starts again with an empty line in place of the bad line, so that line numbers stay correct.
        func restart(without line: Int) {
            if line <= lines.count { lines[line - 1] = [] }
            badLines.insert(line)
            entries = []
            next = 0
        }

        func add(section: String, name: String, value: String) {
            entries.append(INIEntry(section: section, name: name, value: value, line: next))
        }

        func readLine(into buffer: UnsafeMutablePointer<CChar>?, capacity: Int) -> UnsafeMutablePointer<CChar>? {
            guard let buffer = unsafe buffer, next < lines.count else { return nil }
            var line = lines[next]
            next += 1
            if line.count > min(capacity - 2, INIFile.longestContent) || line.contains(0) {
                badLines.insert(next)
                line = []
            }
            for (offset, byte) in line.enumerated() { unsafe buffer[offset] = CChar(bitPattern: byte) }
            unsafe buffer[line.count] = CChar(bitPattern: UInt8(ascii: "\n"))
            unsafe buffer[line.count + 1] = 0
            return unsafe buffer
        }
    }
}

extension Array where Element == UInt8 {
    fileprivate init(_ text: Substring) { self = Array(text.utf8) }
}
