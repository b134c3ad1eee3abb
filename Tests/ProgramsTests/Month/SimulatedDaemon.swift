@testable import DaemonCore
import AudioOutput
import Configuration
import DecoderHost
import EpisodeCache
import Foundation
import Glibc
import Library
import LineServing
import MediaPorts
import Playback
import PodcastModel
import Reporting
import SerialThreads
import SystemCalls
import TestSupport
import Testing

/// The daemon as podcastd puts it together, in this process, with time and sound in the test's hands. Library, cache,
/// control socket, decoders and podcast-refresh are the real ones.
final class SimulatedDaemon {
    /// The calendar at the first instant.
    private static let start: Int64 = 1_793_500_000_000
    let time: SimulatedTime
    let network: SimulatedNetwork
    let sink: SimulatedSink
    let places: Places
    private let scratch: Scratch
    /// The folder of the episode cache.
    var cache: String { scratch.path + "/cache" }
    private let decisions: DecisionThread
    private let daemon: Daemon
    /// Rung when the player has changed.
    private let news: EventDescriptor

    init(in scratch: Scratch, device: SimulatedSink.Traits) throws {
        let decisions = try DecisionThread()
        self.decisions = decisions
        let time = try SimulatedTime()
        let network = try SimulatedNetwork()
        let news = try EventDescriptor()
        sink = try SimulatedSink(device, clock: time.output)
        (self.time, self.network, self.news, self.scratch) = (time, network, news, scratch)
        let settings = try Self.settings(scratch)
        let places = try Places(
            settings: settings, configFile: nil, socket: scratch.path + "/control", variable: { _ in nil },
            isRoot: false)
        self.places = places
        try LibraryOpening.makeFolders(places)
        let listeners = try LibraryOpening.listeners([], places)
        let machine = Self.machine(time, network, sink)
        let logger = Logger(levels: LogLevels(.warning), hasPriorities: false) {
            FileHandle.standardError.write(Data($0))
        }
        let (result, done) = (LateBound<Result<Daemon, any Error>>(), Semaphore())
        decisions.start { [settings] in
            do {
                let store = try LibraryStore(path: places.data.library, options: .daemon)
                result.value = .success(
                    try await Daemon(
                        decisions: decisions, store: store, settings: settings, places: places, listeners: listeners,
                        logger: logger, machine: machine))
            } catch { result.value = .failure(error) }
            done.post()
        }
        done.wait()
        daemon = try #require(result.value).get()
        daemon.player.observe { news.signal() }
    }

    private static func settings(_ scratch: Scratch) throws -> Settings {
        var settings = Settings()
        let values = [
            "daemon.data_dir": scratch.path + "/data", "daemon.cache_dir": scratch.path + "/cache",
            "cache.size": "100M", "output.sink": "null",
        ]
        for (key, value) in values { try settings.set(key, to: value, from: .commandLine) }
        return settings
    }

    private static func machine(
        _ time: SimulatedTime, _ network: SimulatedNetwork, _ sink: SimulatedSink
    ) -> MachinePorts {
        MachinePorts(
            now: { Timestamp(milliseconds: start + time.now.nanoseconds / 1_000_000) }, playbackClock: time,
            fetchClock: SimulatedFetchTime(time: time, network: network), outputClock: time.output,
            makeSink: { _ in sink },
            decoders: PatientDecoders(
                base: DecoderLauncher(folder: Programs.folder, hangLimit: .seconds(60)), network: network),
            refresher: Programs.path("podcast-refresh"))
    }

    func connect() throws -> DaemonConnection { try DaemonConnection(path: places.socket) }

    var status: PlayerStatus { daemon.player.status }

    /// What explains a wrong position.
    func circumstances(of status: PlayerStatus) -> String {
        "position of \(status.instant): \(status.state), \(status.bufferSeconds) s decoded, pace \(status.pace); "
            + "now \(time.now): \(daemon.player.status.state), \(daemon.renderer.playhead)"
    }

    /// Stops it as SIGTERM does.
    func stop() {
        let done = Semaphore()
        decisions.start { [daemon] in
            await daemon.stop()
            done.post()
        }
        // A last write may be waited for with a timer.
        done.wait()
    }

    // MARK: Time

    /// Sound waits for somebody who does nothing.
    struct Stuck: Error { var status: PlayerStatus }

    /// Looks at a player that waits, a millisecond apart at least.
    private static let mostLooks = 60_000

    /// Advances the time by a number of seconds. Whatever is due in between is done when it is due: the time stands while the sink thread
    /// is at work, while the player waits for what takes no simulated time, and while decisions are carried out.
    /// - Throws: `Stuck` when what takes no simulated time has not come after a minute.
    func pass(seconds: Double) throws {
        let target = time.now + .seconds(seconds)
        var looks = 0
        settle()
        while time.now < target {
            if isWaitingForOthers {
                looks += 1
                if looks > Self.mostLooks { throw Stuck(status: status) }
                waitForDescriptors(readable: news.raw, until: .now + .milliseconds(1))
                news.clear()
                settle()
                // The sink thread looks again now and then while it fills its buffer.
                if isWaitingForOthers, let soon = time.output.restDeadline,
                    soon < time.now + .milliseconds(100)
                {
                    _ = time.step(to: soon, hasSinkThread: daemon.renderer.hasThread)
                }
            } else {
                looks = 0
                if time.step(to: target, hasSinkThread: daemon.renderer.hasThread) { carryOut() }
            }
            settle()
        }
        carryOut()
        settle()
    }

    /// Waits until no part has work left before the time advances.
    func settle() { time.output.awaitRest { [daemon] in daemon.renderer.hasThread } }

    /// Whether sound waits for threads and processes that need no simulated time.
    private var isWaitingForOthers: Bool {
        guard !network.isHeld else { return false }
        switch daemon.player.status.state {
        case .loading, .buffering: return true
        case .stopped, .playing, .paused: return false
        }
    }

    /// Waits until what timers and reports asked for is decided and stored: one may lead to another.
    private func carryOut() {
        for _ in 0..<3 {
            let done = Semaphore()
            decisions.start { [daemon] in
                await daemon.library.takeTurn()
                done.post()
            }
            done.wait()
        }
    }
}
