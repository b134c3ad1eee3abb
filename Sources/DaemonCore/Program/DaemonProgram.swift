internal import CommandLineTool
internal import Configuration
internal import Glibc
internal import Library
internal import LineServing
internal import PodcastModel
internal import Reporting
internal import SerialThreads
internal import SystemCalls

/// podcastd from its command line to its exit status. Runs on the main thread.
public enum DaemonProgram {
    /// Runs until SIGTERM or SIGINT.
    public static func run() -> Int32 {
        FileCreationMask.makePrivate()
        return DaemonOptions.program.run { (arguments, output) throws(ToolFailure) in
            if arguments.subcommand == CheckCommand.declaration { return try check(arguments, output) }
            return try serve(arguments)
        }.rawValue
    }

    private static func serve(_ arguments: ParsedArguments) throws(ToolFailure) -> ExitStatus {
        let signals = try ToolFailure.wrapping(.software) { try SignalDescriptor(catching: [SIGTERM, SIGINT, SIGHUP]) }
        CurrentProcess.ignore(SIGPIPE)
        // Where it cannot be raised, the limit from before still does.
        try? DescriptorLimit.raise()
        let notifier = ServiceNotifier.fromEnvironment()
        let watchdog = ServiceNotifier.watchdogInterval()
        let inherited = SocketActivation.inheritedSockets()
        let reader = settingsReader(arguments)
        var unknown: [SettingProblem] = []
        var settings = try reader.read { unknown.append($0) }
        let (runtime, note) = try runtimeFolder(arguments)
        let places = try Places(
            settings: settings, configFile: reader.configFile, socket: arguments.text(DaemonOptions.socket),
            variable: CurrentProcess.variable, isRoot: CurrentProcess.effectiveUser == 0, runtime: runtime,
            changeableConfigFile: reader.changeableFile)
        let logger = Logger(
            levels: LogLevels(parsing: settings["daemon.log_level"]) ?? LogLevels(.notice),
            to: .ofProcess(identifier: "podcastd", variable: CurrentProcess.variable))
        if let note { logger.log(.notice, .daemon, note) }
        for problem in unknown { logger.log(.warning, .settings, problem.description) }
        try LibraryOpening.makeFolders(places)
        let lock = try LibraryOpening.lock(places)
        settings = reader.addClientSettings(to: settings, from: places.data) {
            logger.log(.warning, .settings, $0.description)
        }
        let listeners = try LibraryOpening.listeners(inherited, places)
        lock.record(socket: places.socket)
        // Without it, missed rules wait for the next report.
        let refreshes = try? LibraryLock.watchRelease(of: .refresher, in: places.data.path)
        let decisions = try mapError(of: DecisionThread()) { (error: SystemError) in ToolFailure(starting: error) }
        let failure = LateBound<SystemError>()
        let started = try start(settings, places, listeners, logger, on: decisions) { error in
            logger.log(.error, .control, "clients can no longer be served: \(error); podcastd stops")
            failure.value = error
            CurrentProcess.send(SIGTERM, to: CurrentProcess.number)
        }
        logger.log(
            .notice, .daemon,
            "podcastd \(ProductVersion.current) listens on \(places.socket); its library is \(places.data.library)")
        notifier.ready()
        defer { withExtendedLifetime(lock) {} }

        let patience = watchdog.map { $0 / 2 }
        var nextPing = patience.map { .now + $0 } ?? .distantFuture
        while true {
            _ = waitForDescriptors(readable: signals.raw, refreshes?.raw ?? -1, until: nextPing)
            if let patience, nextPing <= .now {
                started.whenAlive { notifier.watchdog() }
                nextPing = .now + patience
            }
            if refreshes?.take() == true { started.refreshEnded() }
            switch try ToolFailure.wrapping(.software, { try signals.next(until: .now) }) {
            case nil: continue
            case SIGHUP?:
                notifier.reloading(at: .now)
                // A new reader finds a file that was created since the start.
                let fresh = settingsReader(arguments)
                waitFor(decisions) { await started.reload { readAgain(fresh, places, logger) } }
                notifier.ready()
            default:
                notifier.stopping()
                logger.log(.info, .daemon, "stopping")
                waitFor(decisions) { await started.stop() }
                return failure.value == nil ? .success : .software
            }
        }
    }

    /// The folder for the socket where nothing else says where it is, and what to say about it.
    private static func runtimeFolder(
        _ arguments: ParsedArguments
    ) throws(ToolFailure) -> (folder: String?, note: String?) {
        let isKnown =
            arguments.text(DaemonOptions.socket) != nil || CurrentProcess.effectiveUser == 0
            || CurrentProcess.variable("PODCASTD_SOCKET") != nil
            || ["RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR"].contains { CurrentProcess.variable($0)?.hasPrefix("/") == true }
        if isKnown { return (nil, nil) }
        let usual = "/run/user/\(CurrentProcess.effectiveUser)"
        let folder = try ToolFailure.wrapping(
            .cannotCreate, subject: "no private folder for the control socket",
            hint: "set XDG_RUNTIME_DIR to a folder that only you can use, or use --socket PATH"
        ) { try CurrentProcess.runtimeFolder ?? CurrentProcess.makeRuntimeFolder() }
        if folder == usual { return (folder, nil) }
        return (folder, "XDG_RUNTIME_DIR is not set and \(usual) cannot be used, so the control socket is in \(folder)")
    }

    private static func check(_ arguments: ParsedArguments, _ output: ToolOutput) throws(ToolFailure) -> ExitStatus {
        let reader = settingsReader(arguments)
        let places = try Places(
            settings: try reader.read { _ in }, configFile: reader.configFile,
            socket: arguments.text(DaemonOptions.socket), variable: CurrentProcess.variable,
            isRoot: CurrentProcess.effectiveUser == 0, runtime: CurrentProcess.runtimeFolder)
        return try CheckCommand.run(arguments, places, output)
    }

    private static func settingsReader(_ arguments: ParsedArguments) -> SettingsReader {
        SettingsReader(arguments: arguments, options: DaemonOptions.settings, variable: CurrentProcess.variable)
    }

    /// The settings for a reload; a failure, which is logged, if the config file is wrong now.
    private static func readAgain(
        _ reader: SettingsReader, _ places: Places, _ logger: Logger
    ) -> Result<Settings, ToolFailure> {
        func report(_ problem: SettingProblem) { logger.log(.warning, .settings, problem.description) }
        do throws(ToolFailure) {
            let settings = try reader.read(report: report)
            return .success(reader.addClientSettings(to: settings, from: places.data, report: report))
        } catch {
            logger.log(.error, .daemon, "\(error.message); the settings from before stay")
            return .failure(error)
        }
    }

    private static func start(
        _ settings: Settings, _ places: Places, _ listeners: [LineListener], _ logger: Logger,
        on decisions: DecisionThread, serverFailed: @escaping @Sendable (SystemError) -> Void
    ) throws(ToolFailure) -> Daemon {
        do {
            return try waitFor(decisions) {
                let store = try LibraryStore(path: places.data.library, options: .daemon)
                return try await Daemon(
                    decisions: decisions, store: store, settings: settings, places: places, listeners: listeners,
                    logger: logger, serverFailed: serverFailed)
            }
        } catch {
            listeners.forEach { $0.withdraw() }
            throw ToolFailure(starting: error)
        }
    }

    /// Waits on the main thread for what runs on the decision thread.
    private static func waitFor<Value: Sendable, Failure: Error>(
        _ decisions: DecisionThread, _ work: @escaping @Sendable () async throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let done = Semaphore()
        let result = LateBound<Result<Value, Failure>>()
        decisions.start {
            do throws(Failure) { result.value = .success(try await work()) } catch { result.value = .failure(error) }
            done.post()
        }
        done.wait()
        guard let result = result.value else {
            preconditionFailure("the task stores its result before it lets this through")
        }
        return try result.get()
    }
}
