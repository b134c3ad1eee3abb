import ControlLanguage
import ControlProtocol
import Foundation
import JSON
import LineServing
import Synchronization
import SystemCalls
import TestSupport
import Testing

/// Blocks the server's thread until the test releases the thread.
private final class HangingPlayback: Sendable {
    let arrived = DispatchSemaphore(value: 0)
    let leave = DispatchSemaphore(value: 0)

    var answers: [AnsweredCommand] {
        [
            AnsweredCommand { [self] (_: Pause, _) in
                arrived.signal()
                leave.wait()
                return .value(JSONValue.null)
            }
        ]
    }
}

@Suite(.ownThread) struct LifeSignTests {
    @Test func aServerThatHangsDoesNotCallBackUntilItContinues() throws {
        let playback = HangingPlayback()
        let path = FileManager.default.temporaryDirectory.appending(path: "life-\(UUID().uuidString.prefix(8))").path
        let server = try ControlServer(
            dispatcher: CommandDispatcher(playback.answers, version: "1", policy: StubPolicy()), status: StubStatus(),
            policy: StubPolicy())
        try server.start(on: [try LineListener(path: path)])
        defer {
            server.stop()
            unlink(path + ".lock")
        }
        let serves = DispatchSemaphore(value: 0)
        let hangs = Atomic(false)
        let signs = Mutex<[Bool]>([])
        server.whenServing { serves.signal() }
        serves.wait()

        let client = try LocalSocket.connect(to: path)
        let request = Array((#"{"jsonrpc":"2.0","id":1,"method":"playback.pause"}"# + "\n").utf8)
        _ = try request.withUnsafeBytes { try LocalSocket.send(client.raw, $0) }
        playback.arrived.wait()
        hangs.store(true, ordering: .sequentiallyConsistent)
        server.whenServing {
            signs.withLock { $0.append(hangs.load(ordering: .sequentiallyConsistent)) }
            serves.signal()
        }
        hangs.store(false, ordering: .sequentiallyConsistent)
        playback.leave.signal()
        serves.wait()
        expectEqual(signs.withLock { $0 }, [false])
    }
}
