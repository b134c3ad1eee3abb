public import MediaPorts
internal import PodcastModel

/// An output as users write it: `alsa:hw:1?rate=48000`, `wav:/tmp/x.wav`, `null`.
public struct OutputSpecification: Hashable, Sendable, CustomStringConvertible {
    /// The kind of sink, with its parameter.
    public enum Kind: Hashable, Sendable {
        /// An ALSA device; nil is `default`.
        case alsa(device: String?)
        /// A command that reads PCM on its standard input.
        case pipe(command: String)
        /// A named pipe, created if it is missing.
        case fifo(path: String)
        /// A WAV file, overwritten.
        case wav(path: String)
        /// PCM without a header, to a file that is overwritten; `-` is standard output.
        case raw(path: String)
        /// Plays silently in real time.
        case null
    }

    /// Kind of sink, with its parameter.
    public var kind: Kind
    /// Required sample rate in frames per second; nil follows the source.
    public var rate: Int?
    /// Required sample type; nil follows the source.
    public var type: SampleType?
    /// Required number of channels; nil follows the source.
    public var channels: Int?

    /// Creates a specification; parse text with `init(parsing:)`.
    public init(_ kind: Kind, rate: Int? = nil, type: SampleType? = nil, channels: Int? = nil) {
        self.kind = kind
        self.rate = rate
        self.type = type
        self.channels = channels
    }

    /// Parses `kind[:place][?rate=N&format=s16|s32|f32&channels=N]`.
    ///
    /// Options begin at the last `?` if one of their names and `=` follow, because a command or a path may contain `?`
    /// itself.
    /// - Throws: `OutputSpecificationError`, which says what to write instead.
    public init(parsing text: String) throws(OutputSpecificationError) {
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.count <= 4096, SafeText.isOneLine(text) else {
            throw .unreadable
        }
        let (body, options) = Self.splitOptions(text)
        let colon = body.utf8.firstIndex(of: UInt8(ascii: ":"))
        let name = String(body[..<(colon ?? body.endIndex)])
        let place = colon.map { String(body[body.index(after: $0)...]) }
        self.init(try Self.kind(named: name, place: place))
        for option in options { try set(option) }
    }

    /// The kind and its parameter without options, for `outputs` and messages: `alsa:default`, `wav:/tmp/x.wav`.
    public var name: String {
        switch kind {
        case .alsa(let device): "alsa:\(device ?? "default")"
        case .pipe(let command): "pipe:\(command)"
        case .fifo(let path): "fifo:\(path)"
        case .wav(let path): "wav:\(path)"
        case .raw(let path): "raw:\(path)"
        case .null: "null"
        }
    }

    /// The specification as text that `init(parsing:)` parses to the same value.
    public var description: String {
        var options: [String] = []
        if let rate { options.append("rate=\(rate)") }
        if let type { options.append("format=\(type.optionName)") }
        if let channels { options.append("channels=\(channels)") }
        return options.isEmpty ? name : "\(name)?\(options.joined(separator: "&"))"
    }

    /// Whether it starts programs or writes files, so that it must come from the configuration and not from a client.
    public var isPrivileged: Bool {
        switch kind {
        case .alsa, .null: false
        case .pipe, .fifo, .wav, .raw: true
        }
    }

    private static func splitOptions(_ text: String) -> (body: Substring, options: [Substring]) {
        guard let mark = text.utf8.lastIndex(of: UInt8(ascii: "?")) else { return (text[...], []) }
        let options = text[text.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        // A path such as `/a?b` has no options; a misspelled option next to valid ones is an error and not part of the
        // path.
        guard options.contains(where: { option in optionNames.contains { option.hasPrefix("\($0)=") } }) else {
            let isOneWord = options.count == 1 && options[0].utf8.contains(UInt8(ascii: "="))
            let hasPlace = text[..<mark].utf8.contains(UInt8(ascii: ":"))
            return isOneWord && !hasPlace ? (text[..<mark], options) : (text[...], [])
        }
        return (text[..<mark], options)
    }

    private static let optionNames = ["rate", "format", "channels"]

    private static func kind(named name: String, place: String?) throws(OutputSpecificationError) -> Kind {
        func needed(_ what: String) throws(OutputSpecificationError) -> String {
            guard let place, !place.isEmpty else { throw .placeMissing(kind: name, what: what) }
            return place
        }
        switch name {
        case "alsa": return .alsa(device: place.flatMap { $0.isEmpty ? nil : $0 })
        case "pipe": return .pipe(command: try needed("COMMAND"))
        case "fifo": return .fifo(path: try needed("PATH"))
        case "wav": return .wav(path: try needed("PATH"))
        case "raw": return .raw(path: try needed("PATH"))
        case "null":
            guard place == nil else { throw .placeUnwanted(kind: name) }
            return .null
        case "pulse", "snapcast": throw .notInThisVersion(kind: name)
        default: throw .unknownKind(name)
        }
    }

    private mutating func set(_ option: Substring) throws(OutputSpecificationError) {
        let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let (name, value) = (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        switch name {
        case "rate":
            guard let rate = Int(value), PCMFormat.rates.contains(rate) else {
                throw .badValue(option: name, value: value, allowed: "4000 to 384000 frames per second")
            }
            self.rate = rate
        case "format":
            guard let type = SampleType.allCases.first(where: { $0.optionName == value }) else {
                throw .badValue(option: name, value: value, allowed: "s16, s32 or f32")
            }
            self.type = type
        case "channels":
            guard let channels = Int(value), PCMFormat.channelCounts.contains(channels) else {
                throw .badValue(option: name, value: value, allowed: "1 to 8")
            }
            self.channels = channels
        default: throw .unknownOption(name)
        }
    }
}

extension SampleType {
    /// The name of the type in output specifications.
    var optionName: String {
        switch self {
        case .int16: "s16"
        case .int32: "s32"
        case .float32: "f32"
        }
    }
}

/// Why an output specification is invalid, and what to write instead.
public enum OutputSpecificationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The text is empty.
    case empty
    /// Control characters, or too long.
    case unreadable
    /// Unknown kind of sink.
    case unknownKind(String)
    /// A kind of sink that is not implemented yet.
    case notInThisVersion(kind: String)
    /// A missing parameter: `wav` without a path, `pipe` without a command.
    case placeMissing(kind: String, what: String)
    /// A parameter where none is allowed: `null:x`.
    case placeUnwanted(kind: String)
    case unknownOption(String)
    /// An option with an invalid value.
    case badValue(option: String, value: String, allowed: String)

    /// The error and what to do, in one line.
    public var description: String {
        let kinds = "alsa[:DEVICE], pipe:COMMAND, fifo:PATH, wav:PATH, raw:PATH or null"
        return switch self {
        case .empty: "empty output; use \(kinds)"
        case .unreadable: "an output must be at most 4096 bytes, without control characters"
        case .unknownKind(let name): "unknown output \"\(name)\"; use \(kinds)"
        case .notInThisVersion("pulse"):
            "output \"pulse\" is not supported; use alsa:pulse, which is ALSA's plugin, or alsa"
        case .notInThisVersion(let kind):
            "output \"\(kind)\" is not supported; use fifo:/PATH?rate=48000&format=s16&channels=2, "
                + "and 'source = pipe:///PATH?name=podcasts&mode=read' in snapserver.conf"
        case .placeMissing(let kind, let what): "output \"\(kind)\" is incomplete; use \(kind):\(what)"
        case .placeUnwanted(let kind): "output \"\(kind)\" has no parameter; use \(kind)"
        case .unknownOption(let name): "unknown option \"\(name)\"; use rate, format or channels"
        case .badValue(let option, let value, let allowed): "invalid \(option) \(value); use \(allowed)"
        }
    }
}
