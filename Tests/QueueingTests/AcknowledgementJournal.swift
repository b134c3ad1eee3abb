import Foundation
import PodcastModel

/// What was confirmed to a listener, in a file that outlives the killed process: for each episode the states that the library
/// may hold, and the states that the queue may have. The last line counts.
struct AcknowledgementJournal {
    /// What may be found after a kill.
    struct Expectation {
        /// Positions by episode, each in one of its ranges.
        var positions: [EpisodeID: [ClosedRange<MediaTime>]] = [:]
        /// The entries of the queue, one of these.
        var queues: [[Int64]] = []
        /// Whether the first of these may have one entry more at its end.
        var mayBeLonger = false
    }

    private let file: FileHandle

    init(path: String) throws {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        guard let file = FileHandle(forWritingAtPath: path) else { throw CocoaError(.fileWriteUnknown) }
        self.file = file
    }

    func add(position episode: EpisodeID, _ ranges: [ClosedRange<MediaTime>]) {
        let words = ranges.flatMap { [$0.lowerBound.milliseconds, $0.upperBound.milliseconds] }
        write("position \(episode.rawValue) \(words.map(String.init).joined(separator: " "))")
    }

    func add(queue ids: [EntryID], orMore: Bool = false) {
        write("queue \(orMore ? "+" : "") \(words(ids))")
    }

    func add(queue ids: [EntryID], or other: [EntryID]) { write("queue  \(words(ids));\(words(other))") }

    private func words(_ ids: [EntryID]) -> String { ids.map { String($0.rawValue) }.joined(separator: ",") }

    private func write(_ line: String) { file.write(Data((line + "\n").utf8)) }

    /// Reads what was written before the kill.
    static func expectation(in path: String) throws -> Expectation {
        var expectation = Expectation()
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            if words[0] == "queue" {
                expectation.mayBeLonger = words[1] == "+"
                expectation.queues = words[2].split(separator: ";").map {
                    $0.split(separator: ",").compactMap { Int64($0) }
                }
            } else {
                let numbers = words.dropFirst().compactMap { Int64($0) }
                expectation.positions[EpisodeID(numbers[0])] = stride(from: 1, to: numbers.count - 1, by: 2).map {
                    MediaTime(milliseconds: numbers[$0])...MediaTime(milliseconds: numbers[$0 + 1])
                }
            }
        }
        return expectation
    }
}
