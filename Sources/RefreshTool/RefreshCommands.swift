public import CommandLineTool
internal import Configuration
internal import FeedRefresh
internal import HTTP
internal import PodcastModel
internal import Reporting
internal import SystemCalls

/// The commands of `podcast-refresh`.
public struct RefreshCommands {
    let environment: RefreshEnvironment

    /// The commands, with their connections to the system.
    public init(_ environment: RefreshEnvironment) { self.environment = environment }

    /// The whole program.
    ///
    /// - Returns: the exit status.
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

    /// Runs a command.
    ///
    /// - Returns: the exit status.
    /// - Throws: a failure that ends the command early.
    public func run(_ arguments: ParsedArguments, output: ToolOutput) throws(ToolFailure) -> ExitStatus {
        switch arguments.subcommand?.name {
        case RefreshDeclaration.add.name: try add(arguments, output)
        case RefreshDeclaration.find.name: try find(arguments, output)
        case RefreshDeclaration.importFeeds.name: try importFeeds(arguments, output)
        case RefreshDeclaration.exportFeeds.name: try exportFeeds(arguments, output)
        case RefreshDeclaration.inspect.name: try inspect(arguments, output)
        case RefreshDeclaration.texts.name: try texts(arguments, output)
        case RefreshDeclaration.picture.name: try picture(arguments, output)
        case RefreshDeclaration.explain.name: try explain(arguments, output)
        default: try refresh(arguments, output)
        }
    }

    func readSettings(_ arguments: ParsedArguments) throws(ToolFailure) -> RefreshSettings {
        let isQuiet = arguments.isSet(RefreshDeclaration.quiet)
        return try RefreshSettings(arguments, environment) { if !isQuiet { tell($0.description) } }
    }

    func makeFetcher(_ settings: RefreshSettings) throws(ToolFailure) -> FeedFetcher {
        FeedFetcher(transport: try makeTransport(settings), limits: environment.limits)
    }

    func makeTransport(_ settings: RefreshSettings) throws(ToolFailure) -> any FeedTransport {
        // Reported once here instead of with every feed.
        if let file = settings.network.certificateFile {
            do throws(SystemError) {
                try FileAccess.read.check(file)
            } catch {
                throw ToolFailure(
                    .configuration, "network.ca_file: \(file): \(error.reason)",
                    hint: "set it to a readable file with certificates, or leave it empty")
            }
        }
        return try environment.makeTransport(settings.network)
    }

    /// A board for the activities of this process.
    func makeBoard() -> ActivityBoard { ActivityBoard(now: { .now }) }

    /// Prints a message on stderr: `podcast-refresh: …`. An error of stderr itself is ignored.
    func tell(_ message: String) {
        try? environment.errors.line("\(RefreshDeclaration.program.name): \(SafeText.line(message))")
        try? environment.errors.flush()
    }
}
