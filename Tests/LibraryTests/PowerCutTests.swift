import CRecordingVFS
import Foundation
@testable import Library
import PodcastModel
import Testing
import TestSupport

/// A listener's evening is recorded write by write; then the power is cut at random syncs, with the writes since then
/// lost, torn or in another order, and the library is opened from what the disk would have.
///
/// `PODCASTD_POWER_CUTS` sets the number of cuts, `PODCASTD_SEED` another evening and other cuts.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct PowerCutTests {
    static func number(_ name: String, unlessSet value: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? value
    }

    @Test func nothingAcknowledgedIsLostAndThePositionIsAtMostFifteenSecondsBehind() throws {
        var generator = SeededNumbers(state: UInt64(Self.number("PODCASTD_SEED", unlessSet: 1)))
        let evening = try Evening(acts: 300, &generator)
        let cuts = Self.number("PODCASTD_POWER_CUTS", unlessSet: 20)
        var worst = MediaTime.zero
        for _ in 0..<cuts {
            let cut = evening.recording.cut(&generator)
            let library = try TemporaryLibrary()
            for (name, bytes) in cut.files {
                try Data(bytes).write(to: library.folder.appendingPathComponent(name))
            }
            let (before, after) = evening.states(around: cut.mark)
            let store = try library.open()
            let queue = try store.queue.queue().entries.map(\.id)
            #expect(queue == before.queue || queue == after.queue, "after act \(cut.mark), sync \(cut.sync)")
            let episodes = try store.all(order: .oldestFirst)
            for (episode, (old, new)) in zip(episodes, zip(before.isStarred, after.isStarred)) {
                #expect(episode.state.isStarred == old || episode.state.isStarred == new)
            }
            let position = episodes[0].state.position
            #expect(position >= before.safePosition || position == after.safePosition, "after act \(cut.mark)")
            #expect(position <= max(after.position, before.position))
            worst = max(worst, before.position - position)
            try expectEqual(library.findings(), [])
        }
        #expect(worst <= MediaTime(seconds: 15))
        print("\(cuts) power cuts among \(evening.recording.syncs) syncs: at worst \(worst.seconds) s of position lost")
    }
}

/// What a listener did, what was acknowledged after each act, and what reached the disk when.
private struct Evening {
    struct State {
        var queue: [EntryID] = []
        var isStarred: [Bool] = []
        /// What was heard last.
        var position = MediaTime.zero
        /// What a pause or a seek acknowledged last, or `position` where more than fifteen seconds passed since.
        var safePosition = MediaTime.zero
    }

    let recording: Recording
    private let states: [State]

    func states(around mark: Int) -> (State, State) { (states[mark], states[min(mark + 1, states.count - 1)]) }

    init(acts: Int, _ generator: inout SeededNumbers) throws {
        let library = try TemporaryLibrary()
        let log = library.folder.appendingPathComponent("recording.log")
        do {
            _ = try library.open().addFeed(items: (1...20).map { item($0) })
        }
        // The recording begins with what is on the disk; the last connection has taken the log in.
        let base = try Data(contentsOf: URL(filePath: library.path))
        expectEqual(recording_vfs_start(library.folder.path, log.path), 0)
        var states: [State] = []
        do {
            defer { recording_vfs_stop() }
            var now = start
            // A small log is taken into the file often.
            let options = LibraryOptions(busyTimeout: .milliseconds(100), cacheKiB: 64, checkpointPages: 40)
            let store = try LibraryStore(path: library.path, options: options, clock: ClosureClock { now })
            let ids = try store.all(order: .oldestFirst).map(\.id)
            var state = State(isStarred: ids.map { _ in false })
            states.append(state)
            recording_vfs_note(0)
            for act in 1...acts {
                let chosen = Int.random(in: 0..<ids.count, using: &generator)
                switch Int.random(in: 0..<12, using: &generator) {
                case 0:
                    let entries = try store.queue.insertEntries([ids[chosen]], at: chosen)
                    state.queue.insert(entries[0].id, at: min(chosen, state.queue.count))
                case 1 where !state.queue.isEmpty:
                    let index = chosen % state.queue.count
                    try store.queue.removeEntries([state.queue.remove(at: index)])
                case 2 where state.queue.count > 1:
                    let id = state.queue.remove(at: 0)
                    let index = chosen % (state.queue.count + 1)
                    state.queue.insert(id, at: index)
                    try store.queue.moveEntries([id], to: index)
                case 3:
                    state.isStarred[chosen].toggle()
                    try store.episodes.setStarred(state.isStarred[chosen], [ids[chosen]])
                case 4:
                    // A seek forward.
                    state.position = state.position + MediaTime(seconds: 30)
                    state.safePosition = state.position
                    try store.episodes.savePosition(state.position, of: ids[0], at: day0, isDurable: true)
                case 5 where act % 50 == 5:
                    while try store.performMaintenance() {}
                default:
                    // A second of listening.
                    now += .seconds(1)
                    state.position = state.position + MediaTime(seconds: 1)
                    state.safePosition = max(state.safePosition, state.position - MediaTime(seconds: 15))
                    try store.episodes.savePosition(state.position, of: ids[0], at: day0, isDurable: false)
                }
                states.append(state)
                recording_vfs_note(UInt64(act))
            }
        }
        self.states = states
        recording = try Recording(log: log, base: ["library.db": [UInt8](base)])
    }
}

/// Writes and syncs in their order.
private struct Recording {
    private enum Event {
        case write(file: String, offset: Int, bytes: [UInt8])
        case truncate(file: String, size: Int)
        case sync(file: String)
        case delete(file: String)
        case mark(Int)
    }

    private let events: [Event]
    private let base: [String: [UInt8]]
    /// How often something was synced.
    let syncs: Int

    init(log: URL, base: [String: [UInt8]]) throws {
        self.base = base
        let bytes = [UInt8](try Data(contentsOf: log))
        var (events, names, at): ([Event], [UInt32: String], Int) = ([], [:], 0)
        while at + MemoryLayout<recording_record>.size <= bytes.count {
            let record = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: at, as: recording_record.self) }
            at += MemoryLayout<recording_record>.size
            let payload = Array(bytes[at..<at + Int(record.length)])
            at += payload.count
            let file = names[record.file] ?? ""
            switch Int(record.kind) {
            case Int(recording_name):
                names[record.file] = URL(filePath: String(decoding: payload, as: UTF8.self)).lastPathComponent
            case Int(recording_write): events.append(.write(file: file, offset: Int(record.offset), bytes: payload))
            case Int(recording_truncate): events.append(.truncate(file: file, size: Int(record.offset)))
            case Int(recording_sync): events.append(.sync(file: file))
            case Int(recording_delete): events.append(.delete(file: file))
            default: events.append(.mark(Int(record.offset)))
            }
        }
        self.events = events
        syncs = events.count { if case .sync = $0 { true } else { false } }
    }

    /// What the disk has after a power cut at a random moment after the first mark, and the last mark before it.
    func cut(_ generator: inout SeededNumbers) -> (files: [String: [UInt8]], mark: Int, sync: Int) {
        let first = events.firstIndex { if case .mark = $0 { true } else { false } } ?? 0
        let end = Int.random(in: first + 1..<events.count, using: &generator)
        var (files, pending, mark, synced) = (base, [String: [Event]](), 0, 0)
        for event in events[..<end] {
            switch event {
            case .write(let file, _, _), .truncate(let file, _): pending[file, default: []].append(event)
            case .sync(let file):
                synced += 1
                for event in pending.removeValue(forKey: file) ?? [] { Self.apply(event, &files) }
            case .delete(let file):
                files[file] = nil
                pending[file] = nil
            case .mark(let number): mark = number
            }
        }
        // Of what was not synced, anything may have arrived, in pieces and in any order.
        for event in pending.sorted(by: { $0.key < $1.key }).flatMap(\.value).shuffled(using: &generator) {
            for piece in Self.sectors(of: event) where Bool.random(using: &generator) { Self.apply(piece, &files) }
        }
        return (files, mark, synced)
    }

    private static func sectors(of event: Event) -> [Event] {
        guard case .write(let file, let offset, let bytes) = event else { return [event] }
        return stride(from: 0, to: bytes.count, by: 512).map { start in
            .write(file: file, offset: offset + start, bytes: Array(bytes[start..<min(start + 512, bytes.count)]))
        }
    }

    private static func apply(_ event: Event, _ files: inout [String: [UInt8]]) {
        switch event {
        case .write(let file, let offset, let bytes):
            var contents = files[file] ?? []
            if contents.count < offset + bytes.count {
                contents += [UInt8](repeating: 0, count: offset + bytes.count - contents.count)
            }
            contents.replaceSubrange(offset..<offset + bytes.count, with: bytes)
            files[file] = contents
        case .truncate(let file, let size):
            var contents = files[file] ?? []
            if contents.count > size { contents.removeLast(contents.count - size) }
            files[file] = contents
        case .sync, .delete, .mark: break
        }
    }
}
