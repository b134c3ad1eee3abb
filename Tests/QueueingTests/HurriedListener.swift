@testable import DaemonCore
import Configuration
import Foundation
import Library
import MediaPorts
import Playback
import PodcastModel
import Reporting
import SerialThreads
import Synchronization
import SystemCalls
import TestSupport

/// An evening of listening in some milliseconds: the player, the queue and the library as the daemon has them, with a sound
/// made of arithmetic and a clock that jumps from one event to the next. It runs until its process is killed, and says in a
/// journal what was acknowledged and what is heard.
struct HurriedListener {
    private let timeline: Timeline
    private let sound: ArithmeticSound
    private let library: LibraryService
    private let queue: QueueService
    private let player: Player
    private let journal: AcknowledgementJournal
    private var numbers: SeededNumbers

    init(library path: String, journal: AcknowledgementJournal, numbers: SeededNumbers) async throws {
        self.journal = journal
        self.numbers = numbers
        let library = try LibraryService(LibraryStore(path: path))
        let timeline = Timeline { action in try? await library.perform { _ in action() } }
        self.timeline = timeline
        self.library = library
        sound = ArithmeticSound(timeline)
        queue = try await QueueService(from: library)
        let decisions = try DecisionThread()
        player = Player(
            opener: sound, decoders: sound, renderer: sound,
            store: LibraryPlaybackStore(
                library: library, queue: queue, settings: SettingsService(Settings(), path: path + ".settings"),
                access: MediaAccess(logins: LoginFile(folder: path + ".logins", credentials: nil)),
                now: { timeline.time }, timers: timeline,
                texts: EpisodeTextService(
                    decisions: decisions, library: library, now: { timeline.time }, run: { _ in nil },
                    episodesChanged: { _ in }),
                addresses: AddressRenewal(decisions: decisions, library: library) { _ in }, changes: ChangeBoard(),
                logger: Logger(levels: LogLevels(.error), hasPriorities: false) { _ in }),
            queue: queue, activities: ActivityBoard { timeline.time }, clock: timeline)
    }

    /// Listens for ever.
    mutating func run() async throws {
        noteQueue()
        try await player.play(entries[0])
        await awaitSound()
        while true {
            switch Int.random(in: 0..<9, using: &numbers) {
            case 0: try await seek(to: MediaTime(seconds: Double(Int.random(in: 0..<600, using: &numbers))))
            case 1:
                try await player.pause()
                noteHeard(isSaved: true)
                try await player.resume()
            case 2: try await playAnother()
            case 3, 4: try await editQueue()
            default: try await listen(for: Double.random(in: 0.05...4, using: &numbers))
            }
        }
    }

    // MARK: Acts

    private func listen(for seconds: Double) async throws {
        let end = timeline.now + .seconds(seconds)
        while timeline.now < end {
            let step = Int64(25_000_000)
            noteHeard(after: MediaTime(nanoseconds: step))
            await timeline.advance(by: step)
        }
    }

    private func seek(to time: MediaTime) async throws {
        guard let entry = player.status.entry else { return }
        journal.add(position: entry.episode, [range(of: player.status.position), time...time])
        try await player.seek(.absolute(time))
        journal.add(position: entry.episode, [time...time])
        await awaitSound()
    }

    private mutating func playAnother() async throws {
        let entries = entries
        let entry = entries[Int.random(in: 0..<entries.count, using: &numbers)]
        if entry.episode == player.status.entry?.episode { return }
        // A word about the beginning is saved like a seek.
        let start = MediaTime(seconds: Double(Int.random(in: 0..<600, using: &numbers)))
        let isTold = Bool.random(using: &numbers)
        let saved = try await library.perform { try $0.episodes.episode(entry.episode).state.position }
        journal.add(position: entry.episode, isTold ? [saved...saved, start...start] : [saved...saved])
        noteHeard(isSaved: false)
        try await player.play(entry, at: isTold ? start : nil)
        if isTold { journal.add(position: entry.episode, [start...start]) }
        await awaitSound()
    }

    private mutating func editQueue() async throws {
        let ids = entries.map(\.id)
        switch Int.random(in: 0..<3, using: &numbers) {
        case 0 where ids.count < 12:
            journal.add(queue: ids, orMore: true)
            let episodes = entries.map(\.episode)
            _ = try await queue.add([episodes[Int.random(in: 0..<episodes.count, using: &numbers)]], at: nil)
        case 1 where ids.count > 3:
            guard let last = ids.last, last != player.status.entry?.id else { return }
            journal.add(queue: ids, or: Array(ids.dropLast()))
            try await queue.remove([last])
        default:
            var moved = ids
            let id = moved.remove(at: Int.random(in: 0..<ids.count, using: &numbers))
            let index = Int.random(in: 1...ids.count, using: &numbers)
            moved.insert(id, at: index - 1)
            journal.add(queue: ids, or: moved)
            try await queue.move([id], to: index)
        }
        noteQueue()
    }

    // MARK: The journal

    private var entries: [QueueEntry] { queue.snapshot.entries }

    private func noteQueue() { journal.add(queue: entries.map(\.id)) }

    /// What may be saved from now until the sound has gone on by `time`.
    private func noteHeard(after time: MediaTime = .zero, isSaved: Bool = false) {
        let status = player.status
        guard let entry = status.entry else { return }
        let heard = status.position
        if isSaved { return journal.add(position: entry.episode, [heard...heard]) }
        journal.add(position: entry.episode, [range(of: heard + time)])
    }

    /// A second behind at most, and never ahead.
    private func range(of heard: MediaTime) -> ClosedRange<MediaTime> {
        max(.zero, heard - MediaTime(milliseconds: 1000))...heard
    }

    private func awaitSound() async {
        while player.status.state != .playing { await Task.yield() }
    }
}
