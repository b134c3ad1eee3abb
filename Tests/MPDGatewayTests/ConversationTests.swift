import TestSupport
import Testing

@testable import MPDGateway

@Suite struct ConversationTests {
    /// A conversation whose commands answer `did: NAME`, and fail if they are called `fail`.
    private final class Client {
        var conversation = MPDConversation()
        var sent = ""
        var executed: [String] = []
        var isClosed = false

        func send(_ lines: String...) -> String {
            sent = ""
            for line in lines { perform(Array(line.utf8).withUnsafeBytes { conversation.receive($0) }) }
            return sent
        }

        func perform(_ actions: [MPDConversation.Action]) {
            for action in actions {
                switch action {
                case .send(let bytes): sent += String(decoding: bytes, as: UTF8.self)
                case .close: isClosed = true
                case .run(let request):
                    executed.append(request.command)
                    var answer = MPDAnswer()
                    answer.add("did", request.command)
                    perform(
                        conversation.finished(
                            request.command == "fail" ? .failure(MPDError(.noSuchObject, "no")) : .success(answer)))
                }
            }
        }

        func change(_ subsystems: MPDSubsystems) -> String {
            sent = ""
            perform(conversation.changed(subsystems))
            return sent
        }
    }

    @Test func aCommandIsAnsweredAtOnce() {
        let client = Client()
        expectEqual(client.send("ping"), "did: ping\nOK\n")
        expectEqual(client.send("fail"), "ACK [50@0] {fail} no\n")
    }

    @Test(arguments: [
        "POST / HTTP/1.1", "Host: localhost", "host: localhost", "{}", "", " ping", "Ping", "plä y", "\u{16}\u{3}\u{1}",
    ])
    func aLineThatCannotBeACommandEndsTheConnection(_ line: String) {
        let (client, listing) = (Client(), Client())
        expectEqual(client.send(line, "clear"), "")
        #expect(client.isClosed && client.executed.isEmpty)
        expectEqual(listing.send("command_list_begin", "clear", line, "command_list_end"), "")
        #expect(listing.isClosed && listing.executed.isEmpty)
    }

    @Test func aListIsExecutedAtItsEndAndStopsAtAFailure() {
        let client = Client()
        expectEqual(client.send("command_list_begin", "a", "b"), "")
        #expect(client.executed.isEmpty)
        expectEqual(client.send("command_list_end"), "did: a\ndid: b\nOK\n")
        expectEqual(
            client.send("command_list_ok_begin", "a", "b", "command_list_end"), "did: a\nlist_OK\ndid: b\nlist_OK\nOK\n"
        )
        expectEqual(
            client.send("command_list_ok_begin", "a", "fail", "b", "command_list_end"),
            "did: a\nlist_OK\nACK [50@1] {fail} no\n")
        expectEqual(client.executed, ["a", "b", "a", "b", "a", "fail"])
        expectEqual(client.send("command_list_begin", "command_list_end"), "OK\n")
        #expect(client.send("command_list_end").hasPrefix("ACK [1@0]"))
        #expect(
            client.send("command_list_begin", "a", "idle", "command_list_end").hasPrefix("did: a\nACK [1@1] {idle}"))
        expectEqual(client.send("ping"), "did: ping\nOK\n")
    }

    @Test func aListHasALimit() {
        let client = Client()
        _ = client.send("command_list_begin")
        let line = "add " + String(repeating: "x", count: 60_000)
        for _ in 0..<40 where !client.isClosed { _ = client.send(line) }
        #expect(client.isClosed)
        #expect(client.executed.isEmpty)
    }

    @Test func idleReportsWhatChangedBeforeAndAfter() {
        let client = Client()
        expectEqual(client.send("idle player mixer"), "")
        #expect(client.conversation.isIdling)
        expectEqual(client.change([.playlist]), "")
        expectEqual(client.change([.mixer, .player]), "changed: player\nchanged: mixer\nOK\n")
        expectEqual(client.send("idle"), "changed: playlist\nOK\n")
        expectEqual(client.send("idle"), "")
        expectEqual(client.send("noidle"), "OK\n")
        expectEqual(client.send("noidle"), "", "it came after the answer was on its way")
        #expect(client.send("idle dance").hasPrefix("ACK [2@0] {idle}"))
        expectEqual(client.send("idle", "ping"), "")
        #expect(client.isClosed, "MPD closes a connection that does not end idle first")
    }

    @Test func closeClosesAndNothingFollows() {
        let client = Client()
        expectEqual(client.send("close", "ping"), "")
        #expect(client.isClosed && client.executed.isEmpty && !client.conversation.canReceive)
    }
}
