import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import JSON
import PodcastModel
import SystemCalls
import Testing
import TestSupport

/// The daemon's end of a socket, whose lines a test reads and writes one by one.
private final class ScriptedDaemon {
    static let hello =
        #"{"jsonrpc":"2.0","method":"hello","params":{"server":"podcastd","version":"1","protocol":1,"permission":"admin"}}"#

    let path = FileManager.default.temporaryDirectory.path + "/client-\(UUID().uuidString.prefix(8))"
    private var listener: FileDescriptor?
    private var peer: FileDescriptor?
    private var input: [UInt8] = []
    private var descriptor: Int32 { peer?.raw ?? -1 }

    init() throws { try listen() }
    deinit { unlink(path) }

    func listen() throws { listener = try LocalSocket.listen(at: path, mode: 0o600) }

    /// Takes the connection that waits, and greets it.
    func accept(greeting: String? = hello) throws {
        peer = try LocalSocket.accept(listener?.raw ?? -1)
        try #require(descriptor >= 0)
        if let greeting { try send(greeting) }
    }

    func send(_ line: String) throws {
        let bytes = Array((line + "\n").utf8)
        try expectEqual(bytes.withUnsafeBytes { try LocalSocket.send(descriptor, $0) }, .bytes(bytes.count))
    }

    /// Sends part of a line.
    func send(part: String) throws {
        let bytes = Array(part.utf8)
        _ = try bytes.withUnsafeBytes { try LocalSocket.send(descriptor, $0) }
    }

    /// The requests that have come.
    func requests() throws -> [JSONValue] {
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let receive = { try LocalSocket.receive(self.descriptor, into: $0) }
        while case .bytes(let count) = try buffer.withUnsafeMutableBytes(receive) { input += buffer[..<count] }
        let lines = input.split(separator: 10, omittingEmptySubsequences: false)
        input = Array(lines.last ?? [])
        return try lines.dropLast().map { try JSONValue(parsing: String(decoding: $0, as: UTF8.self)) }
    }

    func hangUp() { peer = nil }

    func stopListening() {
        listener = nil
        unlink(path)
    }
}

@Suite(.ownThread) struct ControlConnectionTests {
    private let daemon: ScriptedDaemon

    init() throws { daemon = try ScriptedDaemon() }

    @Test func aRequestIsSentBeforeTheGreetingAndItsReplyIsTyped() throws {
        let connection = try ControlConnection(path: daemon.path)
        var replies: [Result<VolumeReply, ClientFailure>] = []
        connection.send(SetVolume { $0.level = 30 }) { replies.append($0) }
        try daemon.accept()
        let requests = try daemon.requests()
        expectEqual(requests.map { $0["method"] }, ["playback.volume"])
        expectEqual(requests.first?["params"], ["level": 30])
        expectEqual(connection.state, .greeting(failures: 0))
        try daemon.send(#"{"jsonrpc":"2.0","id":1,"result":{"volume":30}}"#)
        expectEqual(connection.process().count, 1)
        expectEqual(connection.state, .open)
        try expectEqual(replies.map { try $0.get().volume }, [30])
    }

    @Test func repliesMayComeInAnyOrderAndInPieces() throws {
        let connection = try ControlConnection(path: daemon.path)
        var finished: [String] = []
        connection.send(RefreshFeeds()) { _ in finished.append("refresh") }
        connection.send(GetVersion()) { _ in finished.append("version") }
        try daemon.accept()
        try daemon.send(part: #"{"jsonrpc":"2.0","id":2,"res"#)
        _ = connection.process()
        expectEqual(finished, [])
        try daemon.send(part: "ult\":{}}\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n")
        _ = connection.process()
        expectEqual(finished, ["version", "refresh"])
    }

    @Test func aRefusalReachesTheCallAndTheConnectionGoesOn() throws {
        let connection = try ControlConnection(path: daemon.path)
        var failure: ClientFailure?
        connection.send(Pause()) { if case .failure(let error) = $0 { failure = error } }
        try daemon.accept()
        try daemon.send(
            #"{"jsonrpc":"2.0","id":1,"error":{"code":4,"message":"Conflict","data":{"what":"nothing plays"}}}"#)
        _ = connection.process()
        expectEqual(failure, .refused(ControlError(.conflict, "nothing plays")))
        expectEqual(connection.state, .open)
    }

    @Test func rawParametersThatTheDaemonCannotReadAreNotSent() throws {
        let connection = try ControlConnection(path: daemon.path)
        try daemon.accept()
        var deep: JSONValue = [:]
        for _ in 1..<JSONValue.maximumDepth { deep = ["a": deep] }
        var outcomes: [Result<JSONValue, ClientFailure>] = []
        connection.send(method: "status.get", params: deep) { outcomes.append($0) }
        guard case .failure(.refused(let error))? = outcomes.first else { throw ClientFailure.timedOut }
        expectEqual(error.code, .invalidParameters)
        connection.send(method: "status.get", params: deep["a"]) { outcomes.append($0) }
        let requests = try daemon.requests()
        expectEqual(requests.map { $0["params"] }, [deep["a"]])
        try daemon.send(#"{"jsonrpc":"2.0","id":2,"result":{"state":"stopped"}}"#)
        _ = connection.process()
        expectEqual(outcomes.last, .success(["state": "stopped"]))
    }

    @Test func aConnectionThatHasFailedForGoodCanBeTriedAgain() throws {
        let connection = ControlConnection(reconnectingTo: daemon.path)
        try daemon.accept(greeting: #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#)
        _ = connection.process()
        guard case .failed = connection.state else { throw ClientFailure.timedOut }
        connection.retry()
        try daemon.accept()
        _ = connection.process()
        expectEqual(connection.state, .open)
        connection.retry()
        expectEqual(connection.state, .open)
    }

    @Test func aRestrictedConnectionGivesUpPermissionsBeforeAllElse() throws {
        let connection = ControlConnection(reconnectingTo: daemon.path, restrictedTo: .control)
        connection.watch([.player])
        for _ in 1...2 {
            try daemon.accept()
            _ = connection.process()
            let requests = try daemon.requests()
            expectEqual(requests.first?["method"], "session.restrict")
            expectEqual(requests.first?["params"], ["permission": "control"])
            #expect(requests.contains { $0["method"] == "status.subscribe" })
            daemon.hangUp()
            // The connection is lost, and is made again.
            while true {
                _ = connection.process()
                if case .greeting = connection.state { break }
                waitForDescriptors(readable: connection.descriptor, until: connection.deadline ?? .distantFuture)
            }
        }
    }

    @Test func aCancelledCallIsNotAnswered() throws {
        let connection = try ControlConnection(path: daemon.path)
        let ticket = connection.send(GetVersion()) { _ in Issue.record("answered") }
        connection.cancel(ticket)
        try daemon.accept()
        try daemon.send(#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
        _ = connection.process()
        expectEqual(connection.state, .open)
    }

    @Test func eventsComeInOrderAndNoneIsLeftOut() throws {
        let connection = try ControlConnection(path: daemon.path)
        try daemon.accept()
        for number in 1...3 {
            try daemon.send(
                #"{"jsonrpc":"2.0","method":"event","params":{"seq":\#(number),"part":"feeds","value":null}}"#)
        }
        try daemon.send(#"{"jsonrpc":"2.0","method":"event","params":{"seq":4,"part":"unheard of","value":1}}"#)
        let events = connection.process()
        expectEqual(
            events.dropFirst().map { $0 },
            (1...3).map { .changed(EventReply(sequence: $0, part: .feeds, value: .null)) })
    }

    @Test func callsFailWhenTheDaemonClosesTheConnection() throws {
        let connection = try ControlConnection(path: daemon.path)
        var failures: [ClientFailure] = []
        for _ in 1...2 { connection.send(GetStatus()) { if case .failure(let error) = $0 { failures.append(error) } } }
        try daemon.accept()
        _ = connection.process()
        daemon.hangUp()
        expectEqual(connection.process(), [.lost(.closed)])
        expectEqual(failures, [.closed, .closed])
        expectEqual(connection.descriptor, -1)
        connection.send(GetStatus()) { if case .failure(let error) = $0 { failures.append(error) } }
        expectEqual(failures.count, 3)
    }

    @Test func aLostConnectionIsRestoredAndWatchesItsPartsAgain() throws {
        let connection = ControlConnection(reconnectingTo: daemon.path)
        connection.watch([.player])
        try daemon.accept()
        try expectEqual(daemon.requests().map { $0["method"] }, ["status.subscribe"])
        try daemon.send(#"{"jsonrpc":"2.0","id":1,"result":{"seq":5,"parts":{"player":{"state":"paused"}}}}"#)
        guard case .snapshot(let snapshot)? = connection.process().last else {
            Issue.record("no snapshot")
            return
        }
        expectEqual(snapshot.sequence, 5)
        daemon.stopListening()
        daemon.hangUp()
        expectEqual(connection.process(), [.lost(.closed)])
        expectEqual(connection.state, .waiting(failures: 1))
        #expect(connection.deadline != nil)
        // The second attempt fails; the third finds the daemon, which was started in the meantime.
        while connection.state != .waiting(failures: 2) { wait(connection) }
        try daemon.listen()
        while connection.state != .greeting(failures: 2) { wait(connection) }
        try daemon.accept()
        try expectEqual(daemon.requests().map { $0["params"] }, [["parts": ["player"]]])
    }

    /// Waits until it is time for the next attempt, and makes it.
    private func wait(_ connection: ControlConnection) {
        waitForDescriptors(readable: connection.descriptor, until: connection.deadline ?? .distantFuture)
        expectEqual(connection.process(), [])
    }

    @Test func aRequestThatDoesNotFitIntoTheSocketIsSentWhenItCanBeWritten() throws {
        let connection = try ControlConnection(path: daemon.path)
        try daemon.accept()
        let text = String(repeating: "x", count: 900_000)
        connection.send(ImportDocument { $0.document = text }) { _ in }
        #expect(connection.wantsWriting)
        var requests: [JSONValue] = []
        while requests.isEmpty {
            requests = try daemon.requests()
            _ = connection.process()
        }
        expectEqual(requests.first?["params"]?["document"]?.stringValue, text)
        #expect(!connection.wantsWriting)
    }

    @Test func aFileIsNotSentBehindRequestsThatWait() throws {
        let connection = try ControlConnection(path: daemon.path)
        try daemon.accept()
        connection.send(ImportDocument { $0.document = String(repeating: "x", count: 900_000) }) { _ in }
        try #require(connection.wantsWriting)
        var failure: ClientFailure?
        let file = OpenFile(try FileDescriptor.openForReading("/dev/null"))
        connection.send(HandOverFile { $0.path = "/x" }, file: file) {
            if case .failure(let found) = $0 { failure = found }
        }
        expectEqual(failure, .timedOut)
    }

    @Test func aRequestLongerThanALineIsRefusedHere() throws {
        let connection = try ControlConnection(path: daemon.path)
        let long = UploadDocument { $0.data = String(repeating: "x", count: Outgoing.maximumLine) }
        #expect(throws: ClientFailure.self) { try connection.call(long) }
        #expect(!connection.wantsWriting)
    }

    @Test(arguments: [
        #"{"jsonrpc":"2.0","method":"hello","params":{"server":"podcastd","version":"9","protocol":2}}"#,
        "220 mail.example.org ESMTP", #"{"greeting":"OK MPD 0.23"}"#,
    ])
    func anotherProtocolIsAnErrorThatIsNotRetried(line: String) throws {
        let connection = ControlConnection(reconnectingTo: daemon.path)
        try daemon.accept(greeting: line)
        _ = connection.process()
        guard case .failed(.protocolFault) = connection.state else {
            Issue.record("\(connection.state)")
            return
        }
    }

    @Test func aRefusedConnectionSaysWhyAlsoIfItIsClosedAtOnce() throws {
        let connection = try ControlConnection(path: daemon.path)
        try daemon.accept(
            greeting: #"{"jsonrpc":"2.0","id":null,"error":{"code":2,"message":"Not permitted","data":{"what":"no"}}}"#)
        daemon.hangUp()
        #expect(throws: ClientFailure.refused(ControlError(.notPermitted, "no"))) { try connection.call(GetStatus()) }
    }

    @Test func aBlockingCallEndsAfterItsTime() throws {
        let connection = try ControlConnection(path: daemon.path)
        connection.timeout = .nanoseconds(1)
        #expect(throws: ClientFailure.timedOut) { try connection.call(GetStatus()) }
        try expectEqual(connection.nextEvent(until: .distantPast), nil)
    }

    @Test func eventsThatComeDuringABlockingCallAreKept() throws {
        let connection = try ControlConnection(path: daemon.path)
        try daemon.accept()
        try daemon.send(#"{"jsonrpc":"2.0","method":"event","params":{"seq":1,"part":"queue","value":null}}"#)
        try daemon.send(#"{"jsonrpc":"2.0","id":1,"result":{"server":"podcastd"}}"#)
        try expectEqual(connection.call(GetVersion()).server, "podcastd")
        _ = try connection.nextEvent()
        try expectEqual(connection.nextEvent(), .changed(EventReply(sequence: 1, part: .queue, value: .null)))
    }

    @Test func withoutADaemonConnectingFails() throws {
        let path = FileManager.default.temporaryDirectory.path + "/none-\(UUID().uuidString.prefix(8))"
        #expect(throws: ClientFailure.notRunning(path: path)) { try ControlConnection(path: path) }
        let waiting = ControlConnection(reconnectingTo: path)
        expectEqual(waiting.state, .waiting(failures: 1))
        waiting.close()
        expectEqual(waiting.state, .closed)
        expectEqual(waiting.deadline, nil)
    }
}
