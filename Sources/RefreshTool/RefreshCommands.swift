internal import CommandLineTool
internal import Configuration
internal import HTTP
internal import PodcastModel
internal import Reporting
internal import SystemCalls

/// The commands of `podcast-refresh`.
public struct RefreshCommands {
    private let environment: RefreshEnvironment

    init(_ environment: RefreshEnvironment) { self.environment = environment }

    public static func main() -> Int32 {
        FileCreationMask.makePrivate()
        // If the limit cannot be raised, the present one is enough for a few feeds.
        try? DescriptorLimit.raise()
        let streams = ToolStreams.standard.reporting(asAskedBy: ProcessArguments.all)
        let status = RefreshDeclaration.program.run(streams: streams) { (arguments, output) throws(ToolFailure) in
            try RefreshCommands(.ofProcess()).run(arguments, output: output)
        }
        return status.rawValue
    }

    func run(_ arguments: ParsedArguments, output: ToolOutput) throws(ToolFailure) -> ExitStatus {
        let run = CommandRun(environment, arguments, output)
        return switch arguments.subcommand?.name {
        case RefreshDeclaration.add.name: try run.add()
        case RefreshDeclaration.find.name: try run.find()
        case RefreshDeclaration.importFeeds.name: try run.importFeeds()
        case RefreshDeclaration.exportFeeds.name: try run.exportFeeds()
        case RefreshDeclaration.inspect.name: try run.inspect()
        case RefreshDeclaration.texts.name: try run.fetchTexts()
        case RefreshDeclaration.picture.name: try run.printPicture()
        case RefreshDeclaration.explain.name: try run.explain()
        default: try run.refresh()
        }
    }
}

/// One run of a command, with what all commands need. Settings and the network are opened at their first use: a file can
/// be inspected whatever the settings say.
final class CommandRun {
    let environment: RefreshEnvironment
    let arguments: ParsedArguments
    let output: ToolOutput
    let board = ActivityBoard(now: { .now })
    private var knownSettings: RefreshSettings?
    private var knownProgress: Progress?

    init(_ environment: RefreshEnvironment, _ arguments: ParsedArguments, _ output: ToolOutput) {
        self.environment = environment
        self.arguments = arguments
        self.output = output
    }

    var clock: any RefreshClock { environment.clock }
    var isJSON: Bool { arguments.isSet(RefreshDeclaration.json) }
    var isQuiet: Bool { arguments.isSet(RefreshDeclaration.quiet) }
    var isForced: Bool { arguments.isSet(RefreshDeclaration.force) }

    func settings() throws(ToolFailure) -> RefreshSettings {
        if let knownSettings { return knownSettings }
        let settings = try RefreshSettings(arguments, environment) { if !isQuiet { tell($0.description) } }
        knownSettings = settings
        return settings
    }

    func progress() throws(ToolFailure) -> Progress {
        if let knownProgress { return knownProgress }
        let progress = Progress(self, library: try settings().folder)
        knownProgress = progress
        return progress
    }

    func openLibrary(mayCreate: Bool = true) throws(ToolFailure) -> LibrarySession {
        try LibrarySession(try settings().folder, mayCreate: mayCreate, variable: environment.variable)
    }

    func makeFetcher() throws(ToolFailure) -> FeedFetcher {
        FeedFetcher(transport: try makeTransport(), limits: environment.limits)
    }

    func makeTransport() throws(ToolFailure) -> any FeedTransport {
        let network = try settings().network
        // Reported once here instead of with every feed.
        if let file = network.certificateFile {
            try mapError(of: FileAccess.read.check(file)) { (error: SystemError) in
                ToolFailure(
                    .configuration, "network.ca_file: \(file): \(error.reason)",
                    hint: "set it to a readable file with certificates, or leave it empty")
            }
        }
        return try environment.makeTransport(network)
    }

    /// Fetches one document. A failure has the status of `FetchFailure.exitStatus`.
    func download(
        _ url: String, over transport: any FeedTransport, _ begin: @escaping (HTTPHead) -> ByteReceiver
    ) throws(ToolFailure) -> HTTPHead {
        return try mapError(of: Download.run(FeedRequest(url: url), over: transport, begin)) { (error: FetchFailure) in
            ToolFailure(error.exitStatus, "\(HTTPURL.withoutCredentials(url)): \(error)")
        }
    }

    /// Prints a message on stderr: `podcast-refresh: …`. An error of stderr itself is ignored.
    func tell(_ message: String) {
        environment.errors.line("\(RefreshDeclaration.program.name): \(SafeText.line(message))")
        try? environment.errors.flush()
    }

    func print(_ lines: [String]) throws(ToolFailure) { for line in lines { output.line(SafeText.line(line)) } }
}
