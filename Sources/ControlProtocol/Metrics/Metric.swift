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
    case bufferedTime
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
    case activities
    /// How long commands took.
    case commandTime
    /// Commands answered with an error.
    case commandFailures
    case connections
    case acceptedConnections
    case refusedConnections
    /// Events sent to watchers.
    case sentEvents
    /// Events that a slow watcher did not get, because a newer one followed.
    case droppedEvents
    /// How long commits to the library took.
    case commitTime
    /// Jobs that wait for a thread.
    case waitingJobs
    case processorTime
    case residentMemory
    case openDescriptors
    /// When the daemon began.
    case startTime

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
                "Times playback stopped to wait for audio, not counting seeks.")
        case .rebufferTime:
            MetricDeclaration(
                "podcastd_rebuffer_seconds", .counter, in: .seconds, label: Self.cause, "Total time of these waits.")
        case .bufferedTime:
            MetricDeclaration(
                "podcastd_buffered_seconds", .gauge, in: .seconds, "Decoded audio ahead of the playhead.")
        case .decoderStarts: MetricDeclaration("podcastd_decoder_starts", .counter, "Decoders started for an episode.")
        case .decoderRestarts:
            MetricDeclaration(
                "podcastd_decoder_restarts", .counter, "Decoder processes that crashed or hung and were restarted.")
        case .decoderFailures:
            MetricDeclaration(
                "podcastd_decoder_failures", .counter, "Episodes that could not be decoded completely.")
        case .refreshRuns:
            MetricDeclaration(
                "podcastd_refresh_runs", .counter, "Finished refreshes, including those started by cron or timers.")
        case .refreshedFeeds:
            MetricDeclaration(
                "podcastd_refreshed_feeds", .counter,
                label: .init(name: "result", help: "changed, unchanged or failed"), "Refreshed feeds, by result.")
        case .newEpisodes:
            MetricDeclaration("podcastd_new_episodes", .counter, "New episodes found by refreshes.")
        case .cacheOpens:
            MetricDeclaration(
                "podcastd_cache_opens", .counter,
                label: .init(name: "found", help: "all, part or nothing: how much was in the cache"), "Episodes opened."
            )
        case .cacheReusedBytes:
            MetricDeclaration(
                "podcastd_cache_reused_bytes", .counter, in: .bytes,
                "Bytes that were in the cache when an episode was opened."
            )
        case .cacheFetchedBytes:
            MetricDeclaration(
                "podcastd_cache_fetched_bytes", .counter, in: .bytes, "Bytes of episodes fetched over the network.")
        case .queueEntries: MetricDeclaration("podcastd_queue_entries", .gauge, "Entries in the queue.")
        case .activities: MetricDeclaration("podcastd_activities", .gauge, "Activities in progress.")
        case .commandTime:
            MetricDeclaration(
                "podcastd_command_seconds", .histogram, in: .seconds, label: Self.section,
                "Time from a command to its answer.")
        case .commandFailures:
            MetricDeclaration(
                "podcastd_command_failures", .counter, label: Self.section, "Commands answered with an error.")
        case .connections: MetricDeclaration("podcastd_connections", .gauge, "Open connections to the control socket.")
        case .acceptedConnections:
            MetricDeclaration("podcastd_accepted_connections", .counter, "Accepted connections.")
        case .refusedConnections:
            MetricDeclaration(
                "podcastd_refused_connections", .counter,
                "Connections refused for lack of permission or because of a limit.")
        case .sentEvents: MetricDeclaration("podcastd_sent_events", .counter, "Events sent to clients.")
        case .droppedEvents:
            MetricDeclaration(
                "podcastd_dropped_events", .counter,
                "Events not sent because a client reads slowly; it gets the newest value.")
        case .commitTime:
            MetricDeclaration(
                "podcastd_library_commit_seconds", .histogram, in: .seconds, "Duration of commits to the library.")
        case .waitingJobs:
            MetricDeclaration(
                "podcastd_waiting_jobs", .gauge, label: .init(name: "thread", help: "decisions or library"),
                "Jobs that wait for a thread.")
        case .processorTime:
            MetricDeclaration(
                "process_cpu_seconds", .counter, in: .seconds, "Processor time of the daemon, without other processes.")
        case .residentMemory:
            MetricDeclaration(
                "process_resident_memory_bytes", .gauge, in: .bytes, "Resident memory of the daemon.")
        case .openDescriptors: MetricDeclaration("process_open_fds", .gauge, "Open file descriptors.")
        case .startTime:
            MetricDeclaration(
                "process_start_time_seconds", .gauge, in: .seconds, "Start time of the daemon, in seconds since 1970.")
        }
    }

    private static let cause = MetricDeclaration.Label(
        name: "cause", help: "network, decoder or output: what playback waited for")
    private static let section = MetricDeclaration.Label(
        name: "section", help: "the part of the command's name before the dot")
}
