internal import CommandLineTool
internal import HTTP
internal import PodcastModel
internal import SystemCalls

/// What `podcast-refresh` needs of the world around it.
struct RefreshEnvironment {
    /// Looks up an environment variable; nil when it is unset or empty.
    var variable: (String) -> String?
    /// Whether the system's library is meant where nothing else says so.
    var isRoot: Bool
    var clock: any RefreshClock
    var errors: ToolOutput
    /// What is behind `errors`.
    var errorTerminal: Terminal
    /// Makes the network, when one is needed.
    var makeTransport: (HTTPSettings) throws(ToolFailure) -> any FeedTransport
    var limits = FetchLimits()
    /// Sleeps between two tries for the lock.
    var pause: (Duration) -> Void
    /// Path of the program that decodes pictures.
    var pictureDecoder: () throws(SystemError) -> String = { () throws(SystemError) in
        try Launch.sibling("podcast-decode-av")
    }
    /// How long to wait for another refresh to end.
    var lockPatience = Duration.seconds(5)

    static func ofProcess() -> RefreshEnvironment {
        RefreshEnvironment(
            variable: CurrentProcess.variable, isRoot: CurrentProcess.effectiveUser == 0, clock: SystemClock(),
            errors: ToolOutput(descriptor: 2), errorTerminal: Terminal(descriptor: 2),
            makeTransport: { settings throws(ToolFailure) in
                try ToolFailure.wrapping(.software) { try HTTPMulti(settings: settings) }
            },
            pause: CurrentProcess.sleep)
    }
}
