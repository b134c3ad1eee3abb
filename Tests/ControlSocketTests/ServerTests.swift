import ControlProtocol
import ControlSocket
import JSON
import Testing

@Suite struct ServerTests {
    @Test func aCommandIsAnswered() throws {
        let test = try TestServer()
        let client = try ControlClient(path: test.path)
        #expect(try client.call("status.get") == ["state": "playing"])
        #expect(try client.call("playback.volume", ["level": 30]) == ["volume": 30])
    }

    @Test func watchersGetASnapshotAndThenChanges() throws {
        let test = try TestServer()
        test.status.set(.player, ["state": "paused"])
        let client = try ControlClient(path: test.path)
        let snapshot = try client.call("status.subscribe", ["parts": ["player"]])
        #expect(snapshot == ["seq": 0, "parts": ["player": ["state": "paused"]]])
        test.status.set(.player, ["state": "playing"])
        test.server.publish(.player)
        let event = try #require(try client.nextEvent())
        #expect(event.sequence == 1 && event.part == .player && event.value == ["state": "playing"])
    }
}
