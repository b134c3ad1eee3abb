public import ControlLanguage

/// What a person looks at first when something seems wrong: a few of the metrics, since the daemon's start.
public struct FiguresReply: ReplyObject {
    /// Times the sound device ran dry.
    public var underruns = 0
    /// Times the sound stopped to wait for more.
    public var rebuffers = 0
    /// Seconds that it waited.
    public var rebufferSeconds = 0.0
    /// What it waited for longest: network, decoder or output; nil when it never waited.
    public var rebufferCause: String?
    /// Decoder processes that were started again.
    public var decoderRestarts = 0
    public var refreshedFeeds: Int64 = 0
    /// Feeds of them that failed.
    public var failedFeeds: Int64 = 0
    /// Bytes on disk already when an episode was opened.
    public var cacheReusedBytes: Int64 = 0
    /// Bytes of episodes that came over the network.
    public var cacheFetchedBytes: Int64 = 0
    /// Commands that were answered.
    public var commands = 0
    /// Commands that took longer than a tenth of a second, also those that wait for a network.
    public var slowCommands = 0
    /// Jobs that wait for a thread.
    public var waitingJobs = 0

    public init() {}

    public static let objectName = "Figures"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("underruns", &underruns, "Underruns of the sound device.")
        members.declare("rebuffers", &rebuffers, "Pauses of playback to buffer.")
        members.declare("rebufferSeconds", &rebufferSeconds, .thousandth, "Their total duration.")
        members.declare("rebufferCause", &rebufferCause, "Their main cause: network, decoder or output.")
        members.declare("decoderRestarts", &decoderRestarts, "Restarts of decoder processes.")
        members.declare("refreshedFeeds", &refreshedFeeds, "Feeds that were refreshed.")
        members.declare("failedFeeds", &failedFeeds, "Refreshed feeds that failed.")
        members.declare("cacheReusedBytes", &cacheReusedBytes, "Bytes already cached when episodes were opened.")
        members.declare("cacheFetchedBytes", &cacheFetchedBytes, "Bytes of episodes fetched from the network.")
        members.declare("commands", &commands, "Commands that were answered.")
        members.declare("slowCommands", &slowCommands, "Commands that took longer than a tenth of a second.")
        members.declare("waitingJobs", &waitingJobs, "Jobs waiting for a thread.")
    }
}
