/// A figure that the daemon keeps of itself. Declared here once: whoever gathers the figures has a `switch` over all of
/// them, and docs/METRICS.md is made from the declarations.
public enum Metric: Sendable, CaseIterable {
    /// The program and its version.
    case build
    /// Times the device ran dry.
    case underruns
    /// Times the sound stopped to wait.
    case rebuffers
    /// How long it waited.
    case rebufferTime
    /// Decoded audio ahead.
    case bufferedTime
    /// Decoder processes begun.
    case decoderStarts
    /// Decoder processes begun anew after a fault.
    case decoderRestarts
    /// Episodes that no decoder could go on with.
    case decoderFailures
    /// Runs of podcast-refresh over feeds.
    case refreshRuns
    /// Feeds by what became of them.
    case refreshedFeeds
    /// Episodes that refreshes found.
    case newEpisodes
    /// Episodes opened, by what the cache had of them.
    case cacheOpens
    /// Bytes that were there already.
    case cacheReusedBytes
    /// Bytes that came over the network.
    case cacheFetchedBytes
    /// Entries of the queue.
    case queueEntries
    /// Work in progress.
    case activities
    /// How long commands took.
    case commandTime
    /// Commands answered with an error.
    case commandFailures
    /// Connections now.
    case connections
    /// Connections taken in.
    case acceptedConnections
    /// Connections refused.
    case refusedConnections
    /// Events sent to watchers.
    case sentEvents
    /// Events that a slow watcher did not get, because a newer one followed.
    case droppedEvents
    /// How long commits to the library took.
    case commitTime
    /// Jobs that wait for a thread.
    case waitingJobs
    /// Processor time.
    case processorTime
    /// Memory.
    case residentMemory
    /// Open descriptors.
    case openDescriptors
    /// When the daemon began.
    case startTime

    /// What it is.
    public var declaration: MetricDeclaration {
        switch self {
        case .build:
            MetricDeclaration(
                "podcastd_build", .info, label: .init(name: "version", help: "the program's version"), "The program.")
        case .underruns:
            MetricDeclaration("podcastd_underruns", .counter, "Times the sound device ran dry while it played.")
        case .rebuffers:
            MetricDeclaration(
                "podcastd_rebuffers", .counter, label: Self.cause,
                "Times the sound stopped to wait for more, seeks apart.")
        case .rebufferTime:
            MetricDeclaration(
                "podcastd_rebuffer_seconds", .counter, in: .seconds, label: Self.cause, "How long it waited in all.")
        case .bufferedTime:
            MetricDeclaration(
                "podcastd_buffered_seconds", .gauge, in: .seconds, "Decoded audio ahead of what is heard.")
        case .decoderStarts: MetricDeclaration("podcastd_decoder_starts", .counter, "Decoders started for an episode.")
        case .decoderRestarts:
            MetricDeclaration(
                "podcastd_decoder_restarts", .counter, "Decoder processes that died or hung and were started again.")
        case .decoderFailures:
            MetricDeclaration(
                "podcastd_decoder_failures", .counter, "Episodes that could not be decoded, or not to their end.")
        case .refreshRuns:
            MetricDeclaration("podcastd_refresh_runs", .counter, "Refreshes that ended, also those of cron and timers.")
        case .refreshedFeeds:
            MetricDeclaration(
                "podcastd_refreshed_feeds", .counter,
                label: .init(name: "result", help: "changed, unchanged or failed"), "Feeds by what became of them.")
        case .newEpisodes:
            MetricDeclaration("podcastd_new_episodes", .counter, "Episodes that refreshes have found.")
        case .cacheOpens:
            MetricDeclaration(
                "podcastd_cache_opens", .counter,
                label: .init(name: "found", help: "all, part or nothing: what was on disk already"), "Episodes opened.")
        case .cacheReusedBytes:
            MetricDeclaration(
                "podcastd_cache_reused_bytes", .counter, in: .bytes, "Bytes on disk already when an episode was opened."
            )
        case .cacheFetchedBytes:
            MetricDeclaration(
                "podcastd_cache_fetched_bytes", .counter, in: .bytes, "Bytes of episodes that came over the network.")
        case .queueEntries: MetricDeclaration("podcastd_queue_entries", .gauge, "Entries of the queue.")
        case .activities: MetricDeclaration("podcastd_activities", .gauge, "Work in progress.")
        case .commandTime:
            MetricDeclaration(
                "podcastd_command_seconds", .histogram, in: .seconds, label: Self.section,
                "From taking a command to its answer.")
        case .commandFailures:
            MetricDeclaration(
                "podcastd_command_failures", .counter, label: Self.section, "Commands answered with an error.")
        case .connections: MetricDeclaration("podcastd_connections", .gauge, "Connections to the control socket.")
        case .acceptedConnections:
            MetricDeclaration("podcastd_accepted_connections", .counter, "Connections that were taken in.")
        case .refusedConnections:
            MetricDeclaration(
                "podcastd_refused_connections", .counter, "Connections without permission, or beyond the limit.")
        case .sentEvents: MetricDeclaration("podcastd_sent_events", .counter, "Events given to connections that watch.")
        case .droppedEvents:
            MetricDeclaration(
                "podcastd_dropped_events", .counter,
                "Events that a connection which reads slowly did not get; it gets the newest value.")
        case .commitTime:
            MetricDeclaration(
                "podcastd_library_commit_seconds", .histogram, in: .seconds, "How long commits to the library took.")
        case .waitingJobs:
            MetricDeclaration(
                "podcastd_waiting_jobs", .gauge, label: .init(name: "thread", help: "decisions or library"),
                "Jobs that wait for their turn.")
        case .processorTime:
            MetricDeclaration("process_cpu_seconds", .counter, in: .seconds, "Processor time of the daemon itself.")
        case .residentMemory:
            MetricDeclaration(
                "process_resident_memory_bytes", .gauge, in: .bytes, "Memory that the daemon itself holds.")
        case .openDescriptors: MetricDeclaration("process_open_fds", .gauge, "Open file descriptors.")
        case .startTime:
            MetricDeclaration(
                "process_start_time_seconds", .gauge, in: .seconds, "When the daemon began, in seconds since 1970.")
        }
    }

    private static let cause = MetricDeclaration.Label(
        name: "cause", help: "network, decoder or output: what there was to wait for")
    private static let section = MetricDeclaration.Label(
        name: "section", help: "the part of the command's name before the point")
}
