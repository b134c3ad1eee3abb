import MediaPorts
import Playback
import PodcastModel
import Reporting
import Synchronization
import TestSupport
import Testing

@testable import PlayTool

/// Chunks as a test lists them; every byte of a frame is its number in the file.
final class ListedFrames: PCMSource {
    private let chunks: Mutex<[PCMChunk]>

    init(_ chunks: [PCMChunk]) { self.chunks = Mutex(chunks) }

    func nextChunk() -> PCMChunk? { chunks.withLock { $0.first } }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        chunks.withLock { chunks in
            guard var chunk = chunks.first else { return 0 }
            let size = chunk.format.frameSize
            let count = min(chunk.byteCount, buffer.count) / size
            for frame in 0..<count {
                for byte in 0..<size {
                    buffer[frame * size + byte] = UInt8(truncatingIfNeeded: Int(chunk.mediaStart) + frame)
                }
            }
            chunk.mediaStart += Int64(count)
            chunk.byteCount -= count * size
            if chunk.byteCount == 0 { chunks.removeFirst() } else { chunks[0] = chunk }
            return count * size
        }
    }

    var readinessDescriptor: Int32 { -1 }
    func prepareToWait() -> Bool { true }
    var bufferedSeconds: Double { 0 }
    var isFilled: Bool { false }
}

private let mono = PCMFormat(rate: 8_000, channels: 1, type: .int16)
private let stereo = PCMFormat(rate: 16_000, channels: 2, type: .int16)

private func chunk(_ range: Range<Int64>, _ format: PCMFormat = mono) -> PCMChunk {
    PCMChunk(
        kind: .frames, generation: 1, format: format, mediaStart: range.lowerBound, mediaEnd: range.upperBound,
        byteCount: range.count * format.frameSize)
}

/// Reads everything up to the end in pieces of some bytes.
private func frames(of source: any PCMSource, piece: Int = 10) -> (numbers: [UInt8], isEnded: Bool) {
    var numbers: [UInt8] = []
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: piece, alignment: 8)
    defer { buffer.deallocate() }
    while let chunk = source.nextChunk() {
        if chunk.kind == .end { return (numbers, true) }
        let count = source.read(into: buffer)
        guard count > 0 else { break }
        for frame in 0..<count / chunk.format.frameSize { numbers.append(buffer[frame * chunk.format.frameSize]) }
    }
    return (numbers, false)
}

struct FormatNotesTests {
    @Test func everyRunOfAFormatIsCounted() {
        let notes = FormatNotes(ListedFrames([chunk(0..<8), chunk(8..<12), chunk(0..<5, stereo), chunk(0..<3)]))
        #expect(notes.runs.isEmpty)
        _ = frames(of: notes)
        expectEqual(
            notes.runs,
            [
                FormatNotes.Run(format: mono, frames: 12), FormatNotes.Run(format: stereo, frames: 5),
                FormatNotes.Run(format: mono, frames: 3),
            ])
    }
}

struct LivePresenterTests {
    private func view(_ state: PlayerState, title: String, activities: [Activity] = []) -> PlayView {
        var status = PlayerStatus()
        status.state = state
        status.entry = QueueEntry(id: EntryID(1), episode: EpisodeID(1))
        status.title = title
        status.position = MediaTime(seconds: 12)
        status.duration = MediaTime(seconds: 3_500)
        return PlayView(status: status, activities: activities, input: "x.mp3")
    }

    @Test func theLineSaysStatePositionAndTitle() {
        expectEqual(LivePresenter.line(view(.playing, title: "One"), width: 80), "playing  0:12 / 58:20  One")
    }

    @Test func aWaitStandsInPlaceOfTheState() {
        var activity = Activity()
        (activity.kind, activity.message, activity.progress) = (.buffering, "Buffering audio", 0.4)
        expectEqual(
            LivePresenter.line(view(.buffering, title: "One", activities: [activity]), width: 80),
            "Buffering audio 40 %  0:12 / 58:20  One")
    }

    @Test func theLineFitsTheTerminalAlsoWithWideLetters() {
        expectEqual(
            LivePresenter.line(view(.playing, title: "One two three"), width: 27), "playing  0:12 / 58:20  One…")
        let wide = LivePresenter.line(view(.playing, title: "日本語日本語"), width: 28)
        expectEqual(wide, "playing  0:12 / 58:20  日本…")
    }

    @Test func aTitleCannotSteerTheTerminal() {
        let line = LivePresenter.line(view(.playing, title: "One\u{1B}[2J\nTwo"), width: 80)
        #expect(!line.contains("\u{1B}"))
        #expect(!line.contains("\n"))
    }
}

@Test func anInputThatTheStatusStillNamesIsNotAmongThePlayed() async throws {
    let library = ArgumentLibrary(["a.mp3", "b.mp3"], start: .zero, end: nil)
    let second = try #require(try await library.entry(after: library.first.id))
    try await library.finish(library.first, heard: nil)
    expectEqual(library.played(before: library.first), [])
    expectEqual(library.played(before: second), ["a.mp3"])
    try await library.finish(second, heard: nil)
    expectEqual(library.played(before: second), ["a.mp3"])
    expectEqual(library.played(before: nil), ["a.mp3", "b.mp3"])
}
