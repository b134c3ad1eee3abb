internal import PodcastModel

/// One line of a client, split into words.
struct MPDRequest {
    /// Words after the command at most.
    static let maximumArguments = 64

    /// Empty if the line does not begin with a word as commands of MPD's protocol are: small letters, digits and `_`.
    var command: String
    var arguments: [String]
    /// The fault in the words after the command; reported when the command is executed, as MPD does.
    var fault: MPDError?

    /// Splits a line: words without quotes, or in double quotes with backslash escapes. A word that is not UTF-8 is a fault.
    init(line: some Sequence<UInt8>) {
        let bytes = Array(line)
        var rest = bytes.last == 0x0D ? bytes.dropLast() : bytes[...]
        let word = rest.prefix { $0 > 0x20 }
        command = String(utf8: word)
        arguments = []
        guard word.first?.isSmallLetter == true,
            word.allSatisfy({ $0.isSmallLetter || $0.isDigit || $0 == .underscore })
        else {
            command = ""
            return
        }
        rest = rest[word.endIndex...]
        do throws(MPDError) {
            while let argument = try Self.nextWord(&rest) {
                if arguments.count == Self.maximumArguments { throw .argument("Too many arguments") }
                arguments.append(argument)
            }
        } catch {
            fault = error
        }
    }

    /// Takes the next word. Returns nil at the end.
    private static func nextWord(_ rest: inout ArraySlice<UInt8>) throws(MPDError) -> String? {
        rest = rest.drop { $0 <= 0x20 }
        guard let first = rest.first else { return nil }
        var word: [UInt8] = []
        if first == 0x22 {
            rest.removeFirst()
            while true {
                guard var byte = rest.popFirst() else { throw MPDError(.unknownCommand, "Missing closing '\"'") }
                if byte == 0x22 { break }
                if byte == 0x5C {
                    guard let escaped = rest.popFirst() else { continue }
                    byte = escaped
                }
                word.append(byte)
            }
            if let next = rest.first, next > 0x20 {
                throw MPDError(.unknownCommand, "Space expected after closing '\"'")
            }
        } else {
            word = Array(rest.prefix { $0 > 0x20 })
            rest = rest.dropFirst(word.count)
            if word.contains(where: { $0 == 0x22 || $0 == 0x27 }) {
                throw MPDError(.unknownCommand, "Invalid unquoted character")
            }
        }
        guard let text = String(validating: word, as: UTF8.self), !text.unicodeScalars.contains("\0") else {
            throw .argument("an argument is not valid UTF-8")
        }
        return text
    }
}
