@testable import DecoderHost
@testable import DecoderProtocol
import MediaPorts
import PodcastModel
import SystemCalls

/// What a hostile decoder says and does, to the daemon's end of it: messages between other things that happen.
enum MessageFuzz {
    private enum Step: UInt8, CaseIterable {
        case message, hangUp, end, deadline, seek, source, invalidData, workBegan, startFailed
    }

    static func run(_ input: FuzzInput) {
        var input = input
        var host = Host()
        while !input.isEmpty {
            host.take(Step.allCases[Int(input.number(UInt8.self)) % Step.allCases.count], &input)
        }
        host.apply(.stopRequested)
        require(host.isOver, "a session outlives its end")
    }

    private struct Host {
        private var supervision = Supervision(DecoderKind.all, at: .zero, generation: 1, hangLimit: .seconds(2))
        private var generation: UInt32 = 1
        private(set) var isOver = false

        init() { apply(.started) }

        mutating func take(_ step: Step, _ input: inout FuzzInput) {
            switch step {
            case .message: read(input.take(Int(input.number(UInt16.self) % 2048)))
            case .hangUp: apply(.hungUp)
            case .end: apply(.ended(ProcessEnd(.exited(1)), extent: extent(&input)))
            case .deadline:
                let flags = input.number(UInt8.self)
                apply(
                    .deadline(
                        .init(
                            waitReason: .init(rawValue: UInt32(flags & 3)), isRingLow: flags & 4 != 0,
                            hasAwaitedBytes: flags & 8 != 0, hasDecoded: flags & 16 != 0, hasRead: flags & 32 != 0)))
            case .seek:
                generation += 1
                let time = MediaTime(milliseconds: Int64(input.number(UInt32.self)))
                apply(.seekRequested(to: time, generation: generation))
            case .source: apply(.sourceChanged(.init(canProceed: input.number(UInt8.self) & 1 != 0, failure: nil)))
            case .invalidData: apply(.invalidData("in the ring"))
            case .workBegan: apply(.workBegan(inputOffset: Int64(input.number(UInt32.self))))
            case .startFailed: apply(.startFailed("no memory"))
            }
        }

        private func extent(_ input: inout FuzzInput) -> DecodedExtent? {
            let flags = input.number(UInt8.self)
            guard flags & 1 != 0 else { return nil }
            return DecodedExtent(
                generation: UInt32(input.number(UInt8.self)),
                lastTime: MediaTime(milliseconds: Int64(input.number(UInt32.self))), isComplete: flags & 2 != 0)
        }

        private mutating func read(_ bytes: UnsafeRawBufferPointer) {
            do throws(SystemError) {
                let message = try DecoderMessage(bytes)
                let copy = try sentAgain(message).get()
                require(copy == message, "\(message) became \(copy)")
                apply(.message(message))
            } catch {
                apply(.invalidData("in a message"))
            }
        }

        private func sentAgain(_ message: DecoderMessage) -> Result<DecoderMessage, SystemError> {
            message.encoded.withUnsafeBytes { bytes in
                Result { () throws(SystemError) in try DecoderMessage(bytes) }
            }
        }

        mutating func apply(_ input: Supervision.Input) {
            for action in supervision.handle(input) {
                require(!isOver, "\(action) after the end")
                switch action {
                case .finish: isOver = true
                // The process that is asked for starts, so that what follows is of a new one.
                case .start: apply(.started)
                case .emit, .send, .want, .stopAwaiting, .setDeadline, .keepDeadline, .kill: break
                }
            }
        }
    }
}
