internal import AudioOutput
internal import CommandLineTool
internal import Configuration
internal import DecoderHost
internal import EpisodeCache
internal import HTTP
internal import Library
internal import MediaPorts
internal import PodcastModel
internal import Reporting
internal import SystemCalls

/// The path of audio from the host to the device, built in this order and closed in reverse.
struct MediaPath {
    let http: HTTPThread
    let cache: EpisodeCache
    let files = LocalFiles()
    let opener: EpisodeOpener
    let decoders: MeteredDecoders
    let renderer: Renderer
    let outputs: OutputSet
    let privateHosts: PrivateHosts

    /// Fetches nothing and opens no device.
    /// - Parameters:
    ///   - storedOutputs: the records of the last session.
    ///   - outputChanged: called on any thread; must not block.
    /// - Throws: if another process uses the cache folder, or the output's specification is invalid.
    init(
        _ settings: Settings, storedOutputs: [OutputSetup], places: Places, machine: MachinePorts, access: MediaAccess,
        logger: Logger, outputChanged: @escaping @Sendable () -> Void
    ) throws {
        privateHosts = PrivateHosts(settings.text("network.private_hosts") ?? "")
        http = HTTPThread(
            settings: HTTPSettings(
                userAgent: ProductVersion.userAgent(contact: settings.text("network.contact")),
                proxy: settings.text("network.proxy"), certificateFile: settings.text("network.ca_file"),
                privateHosts: privateHosts))
        var cacheSettings = EpisodeCache.Settings()
        cacheSettings.access = { url in access.access(to: url) }
        cache = try EpisodeCache(
            directory: places.cache, http: http, sizeLimit: settings.bytes("cache.size"), settings: cacheSettings,
            clock: machine.fetchClock)
        opener = EpisodeOpener(cache, files)
        decoders = MeteredDecoders(base: machine.decoders, logger: logger)
        var rendererSettings = RendererSettings()
        rendererSettings.closeDelay = .seconds(settings.seconds("output.close_after"))
        renderer = try Renderer(sink: nil, clock: machine.outputClock, settings: rendererSettings)
        outputs = try OutputSet(
            ConfiguredOutputs(settings).setups(with: storedOutputs), renderer: renderer,
            makeSink: machine.makeSink ?? Self.sinks(places), changed: outputChanged,
            failureChanged: { name, failure in
                logger.log(
                    failure == nil ? .notice : .warning, .playback,
                    "output \(name) \(failure.map { "has failed: \($0)" } ?? "plays again")")
            })
    }

    private static func sinks(_ places: Places) -> OutputSet.SinkMaker {
        let factory = SinkFactory(
            socket: places.socket, encoder: try? Launch.sibling("podcast-decode-av"), folder: places.data.path)
        factory.recover()
        return { (output) throws(SinkError) in try factory.makeSink(output) }
    }

    /// Releases the devices and stops fetching; waits for both, for devices at most until then.
    func close(until deadline: Instant) {
        // An output that keeps its thread waiting ends with the process.
        if renderer.shutDown(until: deadline) { outputs.close(until: deadline) }
        opener.close()
        cache.finish()
        http.stop()
    }
}

/// Time, sound and other programs; by default the real ones.
struct MachinePorts {
    var now: @Sendable () -> Timestamp = { .now }
    /// The player's timers; nil uses those of the decision thread.
    var playbackClock: (any TimerClock)?
    /// The clock for retries of failed fetches; nil uses the fetching thread's.
    var fetchClock: (any TimerClock)?
    /// The clock of the sink thread.
    var outputClock: any OutputClock = SystemOutputClock()
    /// Nil uses the real outputs.
    var makeSink: OutputSet.SinkMaker?
    /// The searches for devices.
    var searches = OutputSearch.all
    var decoders: any DecoderStarting = DecoderLauncher()
    /// Path of podcast-refresh; nil uses the one in the running program's folder.
    var refresher: String?
}
