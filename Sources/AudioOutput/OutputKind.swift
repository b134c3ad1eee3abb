public import MediaPorts
internal import PodcastModel
internal import SystemCalls

/// A kind of output: how users write it, and how its sink is made and checked. `all` is the registry: another kind is a value
/// there, and a folder with its sink.
public struct OutputKind: Sendable {
    /// What follows the name and a colon: a device, a path, a command.
    enum Parameter {
        case none
        /// - Parameter name: as help shows it.
        case optional(_ name: String, default: String)
        case required(_ name: String)
    }

    /// Without the parameter: `alsa`.
    let name: String
    let parameter: Parameter
    /// What may follow `?`, beside rate, format and channels.
    var options: [OutputOption] = []
    /// The usual form of a parameter; nil for what can be none.
    var canonical: @Sendable (String) -> String? = { $0 }
    /// The installed programs that such an output of podcastd needs. podcast-play does not have these kinds.
    var programs: [String] = []
    /// Whether clients may add an output with this parameter: it starts no program and writes no file.
    var isClientAddable: @Sendable (String) -> Bool = { _ in false }
    /// Whether it plays at speed 1 whatever the speed is.
    var isAtSpeedOne = false
    /// Whether two outputs of this kind would play on one device.
    var isSameDevice: @Sendable (OutputSpecification, OutputSpecification) -> Bool = {
        $0.parameter == $1.parameter && $0.options == $1.options
    }
    /// What users should know about a usable output.
    public internal(set) var note: String?
    /// Whether an output with this parameter can be used now. Must not start programs or open named pipes.
    var inspect: @Sendable (OutputSpecification) -> OutputCondition = { _ in .usable }
    /// Looks for devices that an output of this kind could use. May block for about three seconds.
    var find: (@Sendable () throws(SinkError) -> [FoundDevice])?
    /// Restores what an earlier process changed for its outputs and could not restore; the folder has the records of it.
    var recover: @Sendable (_ folder: String) -> Void = { _ in }
    /// Makes the sink of a specification; opens nothing.
    let makeSink: @Sendable (OutputSpecification, SinkFactory) throws -> any Sink

    /// In the order in which help lists them.
    static let all: [OutputKind] = [.alsa, .pulse, .snapcast, .upnp, .icecast, .http, .pipe, .fifo, .wav, .raw, .null]

    /// The kinds in one line for help: `alsa[:DEVICE], wav:PATH or null`.
    /// - Parameter withDaemon: false leaves out those that need podcastd.
    public static func usage(withDaemon: Bool = true) -> String {
        let kinds = all.filter { withDaemon || !$0.needsDaemon }.map(\.usage)
        return kinds.dropLast().joinedText(", ") + " or " + kinds[kinds.count - 1]
    }

    var needsDaemon: Bool { !programs.isEmpty }

    /// The first of its programs that is not installed, and the package to install.
    public var missingProgram: (name: String, package: String)? {
        for name in programs {
            do throws(SystemError) {
                try FileAccess.execute.check(Launch.sibling(name))
            } catch {
                if let package = error.missingPackage { return (name, package) }
            }
        }
        return nil
    }

    var optionNames: [String] { ["rate", "format", "channels"] + options.map(\.name) }

    private var usage: String {
        switch parameter {
        case .none: name
        case .optional(let what, _): "\(name)[:\(what)]"
        case .required(let what): "\(name):\(what)"
        }
    }

    /// - Parameter text: what follows the colon; nil without a colon.
    func parse(_ text: String?) throws(OutputSpecificationError) -> String {
        switch parameter {
        case .none:
            guard text == nil else { throw .parameterUnwanted(kind: name) }
            return ""
        case .optional(_, let standard): return try valid(text.flatMap(\.nonEmpty) ?? standard)
        case .required(let what):
            guard let text, !text.isEmpty else { throw .parameterMissing(kind: name, what: what) }
            return try valid(text)
        }
    }

    private func valid(_ text: String) throws(OutputSpecificationError) -> String {
        guard let valid = canonical(text) else { throw .badValue(option: name, value: text, allowed: usage) }
        return valid
    }
}

extension OutputKind: Hashable {
    public static func == (one: OutputKind, other: OutputKind) -> Bool { one.name == other.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// An option of one kind of output: `buffer=1000`.
struct OutputOption {
    let name: String
    let kind: ValueKind
    /// The value without the option.
    let standard: String
    let help: String
}

/// A device that an output could use.
public struct FoundDevice: Equatable, Sendable {
    /// Its name for users; from outside.
    public let title: String
    public let specification: OutputSpecification

    init(_ title: String, _ specification: OutputSpecification) {
        self.title = title
        self.specification = specification
    }
}

/// A search for devices of one kind.
public struct OutputSearch: Sendable {
    /// The kind's name.
    public let kind: String
    public let find: @Sendable () throws(SinkError) -> [FoundDevice]

    public static let all = OutputKind.all.compactMap { kind in
        kind.find.map { OutputSearch(kind: kind.name, find: $0) }
    }
}

/// Whether an output can be used now.
public enum OutputCondition: Equatable, Sendable {
    /// Yes, as far as can be determined without playing.
    case usable
    /// The cause and what to do, as text for users.
    case unusable(Obstacle, String, fix: String)

    public enum Obstacle: Sendable { case inUse, forbidden, other }
}

/// Creates sinks from specifications.
public struct SinkFactory: Sendable {
    /// Time and waiting of the sinks; the same as their renderer's.
    let clock: any OutputClock
    /// Whether files and the null sink accept frames only in real time.
    let isPaced: Bool
    /// The daemon's control socket; nil without a daemon.
    var socket: String?
    var encoder: String?
    /// Folder for the data that sinks need after a crash of the process; nil to store nothing.
    var folder: String?
    /// For tests, whose commands may start late on a busy machine.
    var commandTimeouts = CommandStream.Timeouts()

    /// - Parameter isPaced: false lets files, pipes and the null sink run at full speed (`--unpaced`).
    public init(
        isPaced: Bool = true, clock: any OutputClock = SystemOutputClock(), socket: String? = nil,
        encoder: String? = nil, folder: String? = nil
    ) {
        self.isPaced = isPaced
        self.clock = clock
        self.folder = folder
        self.socket = socket
        self.encoder = encoder
    }

    /// Restores what an earlier process changed and could not restore, also for removed outputs.
    public func recover() { if let folder { for kind in OutputKind.all { kind.recover(folder) } } }

    /// Creates the sink of a specification; nothing is opened before its `open`.
    /// - Throws: `SinkError` if the process has no descriptors left.
    public func makeSink(_ specification: OutputSpecification) throws(SinkError) -> any Sink {
        do {
            return try specification.kind.makeSink(specification, self)
        } catch {
            throw (error as? SinkError) ?? SinkError("cannot create \(specification.name): \(error)")
        }
    }

    /// A sink that is a stream of bytes.
    func sink(
        _ specification: OutputSpecification, _ stream: any ByteStream, _ pace: StreamSink.Pace = .deep,
        keepsFirst: Bool = true
    ) throws -> StreamSink {
        try StreamSink(specification, stream, pace: isPaced ? pace : nil, keepsFirst: keepsFirst, clock: clock)
    }
}
