public import MediaPorts
internal import PodcastModel

/// An output as users write it: `alsa:hw:1?rate=48000`, `wav:/tmp/x.wav`, `null`.
public struct OutputSpecification: Hashable, Sendable, CustomStringConvertible {
    public var kind: OutputKind
    /// A device, a path or a command; empty if the kind has no parameter.
    var parameter: String
    /// Required sample rate in frames per second; nil follows the source.
    var rate: Int?
    /// Required sample type; nil follows the source.
    var type: SampleType?
    /// Required number of channels; nil follows the source.
    var channels: Int?
    /// The values of the kind's own options by name, in the form of their `ValueKind`.
    private(set) var options: [String: String] = [:]

    /// - Parameter parameter: nil is the kind's default.
    public init(
        _ kind: OutputKind, _ parameter: String? = nil, rate: Int? = nil, type: SampleType? = nil, channels: Int? = nil
    ) {
        self.kind = kind
        self.parameter = parameter ?? (try? kind.parse(nil)) ?? ""
        self.rate = rate
        self.type = type
        self.channels = channels
    }

    /// Parses `kind[:parameter][?rate=N&format=s16|s32|f32&channels=N]`.
    ///
    /// Options begin at the last `?` if one of their names and `=` follow, because a command or a path may contain `?` itself.
    /// - Parameter withDaemon: false refuses outputs that need podcastd.
    /// - Throws: `OutputSpecificationError`, which says what to write instead.
    public init(parsing text: String, withDaemon: Bool = true) throws(OutputSpecificationError) {
        let usage = OutputKind.usage(withDaemon: withDaemon)
        guard !text.isEmpty else { throw .empty(usage: usage) }
        guard text.utf8.count <= 4096, SafeText.isOneLine(text) else { throw .unreadable }
        let name = String(text.prefix { $0 != ":" && $0 != "?" })
        guard let kind = OutputKind.all.first(where: { $0.name == name }) else {
            throw .unknownKind(name, usage: usage)
        }
        guard withDaemon || !kind.needsDaemon else { throw .daemonNeeded(kind: name, usage: usage) }
        let (body, options) = Self.splitOptions(text, kind.optionNames)
        let colon = body.utf8.firstIndex(of: .colon)
        self.init(kind, try kind.parse(colon.map { String(body[body.index(after: $0)...]) }))
        for option in options { try set(option) }
    }

    /// The required format, or else the wanted one.
    func format(for wanted: PCMFormat) -> PCMFormat {
        PCMFormat(rate: rate ?? wanted.rate, channels: channels ?? wanted.channels, type: type ?? wanted.type)
    }

    /// With the format that encoders take.
    var encodable: Self {
        var copy = self
        copy.rate = 48_000
        copy.channels = 2
        copy.type = .int16
        return copy
    }

    /// The value of an option of the kind that is a whole number.
    func number(_ option: OutputOption) -> Int { Int(options[option.name] ?? option.standard) ?? 0 }

    /// The kind and its parameter without options, for `outputs` and messages: `alsa:default`, `wav:/tmp/x.wav`.
    public var name: String { parameter.isEmpty ? kind.name : "\(kind.name):\(parameter)" }

    /// Whether two outputs would play on one device.
    public func isSameDevice(as other: Self) -> Bool { kind == other.kind && kind.isSameDevice(self, other) }

    /// Whether the output can be used now, without playing. Opens a device for a moment, but never a named pipe, because its reader
    /// would see an empty stream. May take long.
    public var condition: OutputCondition { kind.inspect(self) }

    /// Whether clients may add such an output.
    public var isClientAddable: Bool { kind.isClientAddable(parameter) }

    /// The specification as text that `init(parsing:)` parses to the same value.
    public var description: String {
        var options: [String] = []
        if let rate { options.append("rate=\(rate)") }
        if let type { options.append("format=\(type.optionName)") }
        if let channels { options.append("channels=\(channels)") }
        options += kind.options.compactMap { option in self.options[option.name].map { "\(option.name)=\($0)" } }
        return options.isEmpty ? name : "\(name)?\(options.joinedText("&"))"
    }

    private static func splitOptions(
        _ text: String, _ optionNames: [String]
    ) -> (body: Substring, options: [Substring]) {
        guard let mark = text.utf8.lastIndex(of: .questionMark) else { return (text[...], []) }
        let options = text[text.index(after: mark)...].fields(separatedBy: "&")
        // A path such as `/a?b` has no options; a misspelled option next to valid ones is an error and not part of the path.
        guard options.contains(where: { option in optionNames.contains { option.hasPrefix("\($0)=") } }) else {
            let isOneWord = options.count == 1 && options[0].utf8.contains(.equals)
            let hasParameter = text[..<mark].utf8.contains(.colon)
            return isOneWord && !hasParameter ? (text[..<mark], options) : (text[...], [])
        }
        return (text[..<mark], options)
    }

    private mutating func set(_ option: Substring) throws(OutputSpecificationError) {
        let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let value = parts.count > 1 ? String(parts[1]) : ""
        func bad(_ allowed: String) -> OutputSpecificationError {
            .badValue(option: name, value: value, allowed: allowed)
        }
        switch name {
        case "rate":
            guard let rate = Int(value), PCMFormat.rates.contains(rate) else {
                throw bad("\(PCMFormat.rates.lowerBound) to \(PCMFormat.rates.upperBound) frames per second")
            }
            self.rate = rate
        case "format":
            type = SampleType.allCases.first { $0.optionName == value }
            if type == nil { throw bad("s16, s32 or f32") }
        case "channels":
            channels = Int(value).flatMap { PCMFormat.channelCounts.contains($0) ? $0 : nil }
            if channels == nil { throw bad("1 to 8") }
        default:
            guard let option = kind.options.first(where: { $0.name == name }) else {
                throw .unknownOption(name, known: kind.optionNames)
            }
            guard let valid = option.kind.canonical(value), !valid.isEmpty else { throw bad(option.kind.form) }
            options[name] = valid
        }
    }
}

extension SampleType {
    var optionName: String {
        switch self {
        case .int16: "s16"
        case .int32: "s32"
        case .float32: "f32"
        }
    }
}

/// Why an output specification is invalid, and what to write instead.
public enum OutputSpecificationError: Error, Equatable, CustomStringConvertible {
    case empty(usage: String)
    /// Control characters, or too long.
    case unreadable
    case unknownKind(String, usage: String)
    case daemonNeeded(kind: String, usage: String)
    /// A missing parameter: `wav` without a path, `pipe` without a command.
    case parameterMissing(kind: String, what: String)
    /// A parameter where none is allowed: `null:x`.
    case parameterUnwanted(kind: String)
    case unknownOption(String, known: [String])
    case badValue(option: String, value: String, allowed: String)
    /// Two named outputs with one device.
    case used(String, by: String)

    public var description: String {
        switch self {
        case .empty(let usage): "empty output; use \(usage)"
        case .unreadable: "an output must be at most 4096 bytes, without control characters"
        case .unknownKind(let name, let usage): "unknown output \"\(name)\"; use \(usage)"
        case .daemonNeeded(let kind, let usage): "output \"\(kind)\" needs podcastd; use \(usage)"
        case .parameterMissing(let kind, let what): "output \"\(kind)\" is incomplete; use \(kind):\(what)"
        case .parameterUnwanted(let kind): "output \"\(kind)\" has no parameter; use \(kind)"
        case .unknownOption(let name, let known):
            "unknown option \"\(name)\"; use \(known.dropLast().joinedText(", ")) or \(known[known.count - 1])"
        case .badValue(let option, let value, let allowed): "invalid \(option) \(value); use \(allowed)"
        case .used(let name, let other):
            "the outputs \(other) and \(name) have the same device; give each a separate one, or remove one"
        }
    }
}
