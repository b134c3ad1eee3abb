import DecoderProtocol
import MediaPorts
import PodcastModel
import Testing
import TestSupport

@testable import DecoderHost

/// All orders in which a decoder, the session's thread, the source and seeks can act.
///
/// A second of the file is a byte. In every order: once nothing is left to do, the source is on its way to the byte that
/// the decoder sleeps for, and the session listens for that byte.
struct AwaitingTests {
    private enum Step: CaseIterable {
        /// The decoder takes its messages, and decodes the available bytes until one is missing.
        case decoderActs
        /// The session thread takes messages; it takes what others left.
        case messagesAreTaken, requestsAreTaken
        /// One byte comes where the source is on its way to.
        case byteComes
        case seekFar, seekBack
    }

    private struct World {
        var supervision = Supervision([.mpeg], at: .zero, generation: 1, hangLimit: .seconds(1))
        // The decoder, as `DecodeService` does it.
        var position = 0
        var generation: UInt32 = 1
        var told: Int?
        // What is on its way between them.
        var toDecoder: [HostMessage] = []
        var toSession: [DecoderMessage] = []
        // The session.
        var newest: UInt32 = 1
        var seek: (time: MediaTime, generation: UInt32)?
        var awaited: Int?
        var isNews = false
        // The source.
        var atHand: Set<Int> = [0]
        var wanted = 0

        mutating func take(_ step: Step) {
            switch step {
            case .decoderActs: decode()
            case .messagesAreTaken:
                let messages = toSession
                toSession = []
                for message in messages { handle(.message(message)) }
            case .requestsAreTaken: takeRequests()
            case .byteComes:
                while atHand.contains(wanted) { wanted += 1 }
                atHand.insert(wanted)
                if let awaited, atHand.contains(awaited) { isNews = true }
            case .seekFar: leaveSeek(to: 100)
            case .seekBack: leaveSeek(to: 1)
            }
        }

        private mutating func decode() {
            while !toDecoder.isEmpty {
                guard case .seek(let time, let new, _) = toDecoder.removeFirst() else { continue }
                (position, generation, told) = (Int(time.seconds), new, nil)
            }
            // A decoder does nothing for an outdated generation.
            guard generation == newest else { return }
            while atHand.contains(position) {
                if told != nil { toSession.append(.proceeding(generation: generation)) }
                told = nil
                position += 1
            }
            if told != position { toSession.append(.wanting(generation: generation, offset: Int64(position))) }
            told = position
        }

        private mutating func leaveSeek(to second: Int64) {
            newest += 1
            seek = (MediaTime(milliseconds: second * 1000), newest)
        }

        private mutating func takeRequests() {
            if let seek { handle(.seekRequested(to: seek.time, generation: seek.generation)) }
            if isNews { handle(.sourceChanged(.init(canProceed: awaited.map(atHand.contains) ?? false))) }
            (seek, isNews) = (nil, false)
        }

        private mutating func handle(_ input: Supervision.Input) {
            var later: [Supervision.Input] = []
            for action in supervision.handle(input) {
                switch action {
                case .send(let message): toDecoder.append(message)
                case .want(let offset, let isAwaited):
                    wanted = Int(offset)
                    guard isAwaited else { continue }
                    awaited = wanted
                    later.append(.sourceChanged(.init(canProceed: atHand.contains(wanted))))
                case .stopAwaiting: awaited = nil
                case .emit, .setDeadline, .keepDeadline, .kill, .start, .finish: break
                }
            }
            for input in later { handle(input) }
        }

        /// Lets all but the source act until nothing is left to do; nil when that does not end.
        mutating func settle() -> Bool {
            for _ in 0..<20 {
                let isQuiet = toDecoder.isEmpty && toSession.isEmpty && seek == nil && !isNews && told == position
                if isQuiet && !atHand.contains(position) { return true }
                for step in [Step.decoderActs, .messagesAreTaken, .requestsAreTaken] { take(step) }
            }
            return false
        }

        var fault: String? {
            guard awaited == position else { return "\(position) is missing and \(awaited ?? -1) awaited" }
            var next = wanted
            while atHand.contains(next) { next += 1 }
            return next == position ? nil : "\(position) is missing and the source on its way to \(next)"
        }
    }

    @Test func theSourceAlwaysFetchesTheBytesThatTheDecoderSleepsFor() {
        var faults: [String] = []
        var count = 0
        func explore(_ world: World, _ path: [Step]) {
            var settled = world
            count += 1
            if !settled.settle() {
                faults.append("\(path): no end")
            } else if let fault = settled.fault {
                faults.append("\(path): \(fault)")
            }
            guard path.count < (isSanitized ? 6 : 7), faults.isEmpty else { return }
            for step in Step.allCases {
                var next = world
                next.take(step)
                explore(next, path + [step])
            }
        }
        explore(World(), [])
        #expect(faults.isEmpty)
        #expect(count > (isSanitized ? 50_000 : 300_000))
    }
}
