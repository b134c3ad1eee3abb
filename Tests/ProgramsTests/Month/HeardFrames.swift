import Glibc

/// Compares the heard frames with the expected ones.
struct HeardFrames {
    /// What is known of the frames that come next.
    private enum Course {
        /// The next frame, and the frame after the episode's last one.
        case following(next: Int, end: Int)
        /// Another place or episode began; what was heard of it is kept until somebody says where that was.
        case awaitingPlace([Float])
    }

    struct Mismatch: Error { var description: String }

    private let audio: RepeatedAudio
    private var course = Course.awaitingPlace([])
    /// Frames that were found right.
    private(set) var checked = 0

    init(_ audio: RepeatedAudio) { self.audio = audio }

    /// Somebody sought, or played something else: what was heard before this is done with.
    mutating func jump() { course = .awaitingPlace([]) }

    /// Takes frames that were heard.
    mutating func hear(_ frames: [Float]) throws {
        switch course {
        case .awaitingPlace(let kept): course = .awaitingPlace(kept + frames)
        case .following(let next, let end):
            let count = min(frames.count, end - next)
            guard matches(frames[..<count], at: next) else { throw mismatch(frames[..<count], at: next) }
            checked += count
            course =
                next + count < end
                ? .following(next: next + count, end: end) : .awaitingPlace(Array(frames[count...]))
        }
    }

    /// Compares the place that the player tells, in frames and parts of one, with the frame that is heard now.
    ///
    /// - Parameter end: the frame after the episode's last one.
    mutating func look(at place: Double, end: Int) throws {
        switch course {
        case .following(let next, let known):
            guard abs(place - Double(next)) <= 1, end == known else {
                throw Mismatch(description: "frame \(next) of \(known) is heard, \(place) of \(end) is told")
            }
        case .awaitingPlace(let kept):
            // The place told is between two frames.
            let nearest = Int(place.rounded())
            let starts = [nearest, nearest - 1, nearest + 1].map { $0 - kept.count }.filter { $0 >= 0 }
            guard let start = starts.first(where: { matches(kept[...], at: $0) }) else {
                throw mismatch(kept[...], at: nearest - kept.count)
            }
            checked += kept.count
            course = .following(next: start + kept.count, end: end)
        }
    }

    private func matches(_ frames: ArraySlice<Float>, at start: Int) -> Bool {
        var (index, frame) = (frames.startIndex, start)
        while index < frames.endIndex {
            let wanted = audio.run(from: frame)
            let count = min(wanted.count, frames.endIndex - index)
            guard isSame(frames[index..<index + count], wanted) else { return false }
            index += count
            frame += count
        }
        return true
    }

    /// Whether frames are those wanted; after a jump over parts that were not decoded their last bits may differ.
    private func isSame(_ frames: ArraySlice<Float>, _ wanted: ArraySlice<Float>) -> Bool {
        frames.withUnsafeBufferPointer { frames in
            wanted.withUnsafeBufferPointer { wanted in
                guard let heard = frames.baseAddress, let right = wanted.baseAddress else { return frames.isEmpty }
                if memcmp(heard, right, frames.count * MemoryLayout<Float>.size) == 0 { return true }
                var index = 0
                while index < frames.count {
                    if abs(heard[index] - right[index]) > 1e-5 { return false }
                    index += 1
                }
                return true
            }
        }
    }

    /// Says where frames begin to be others than wanted, and what they are there.
    private func mismatch(_ frames: ArraySlice<Float>, at start: Int) -> Mismatch {
        var (low, high) = (0, frames.count)
        while low < high {
            let middle = (low + high + 1) / 2
            if matches(frames.prefix(middle), at: start) { low = middle } else { high = middle - 1 }
        }
        // Half a second is longer than a pause between words, which all look alike.
        let rest = frames.dropFirst(low).prefix(RepeatedAudio.rate / 2)
        let expected = (start + low) % audio.roundFrames
        let found = (0..<audio.roundFrames).first { matches(rest, at: $0 + audio.roundFrames) }
        return Mismatch(
            description: "of \(frames.count) frames heard from \(start) on \(low) are right; then come those that are "
                + (found.map { "\($0 - expected) frames later" } ?? "nowhere"))
    }
}
