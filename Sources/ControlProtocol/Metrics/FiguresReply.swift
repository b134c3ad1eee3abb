public import ControlLanguage

/// What a person looks at first when something seems wrong: a few of the metrics, since the daemon's start.
public struct FiguresReply: ReplyObject {
    public var underruns = 0
    public var rebuffers = 0
    public var rebufferSeconds = 0.0
    public var rebufferCause: String?
    public var decoderRestarts = 0
    public var refreshedFeeds: Int64 = 0
    public var failedFeeds: Int64 = 0
    public var cacheReusedBytes: Int64 = 0
    public var cacheFetchedBytes: Int64 = 0
    public var commands = 0
    public var slowCommands = 0
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
