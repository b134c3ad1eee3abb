import Foundation
import JSON
import PodcastModel
@testable import DaemonCore
import ControlLanguage
import Reporting
import SystemCalls
import TestSupport
import Testing

// The runner with a shell script in place of podcast-refresh.
@Suite(.ownThread) final class RefreshRunnerTests {
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "refreshing-\(UUID().uuidString.prefix(8))")
    private let logger = Logger(levels: LogLevels(.error), to: .ofProcess(identifier: "test", variable: { _ in nil }))

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: folder) }

    private func runner(_ script: String) throws -> RefreshRunner {
        let path = folder.appending(path: "podcast-refresh")
        try ExecutableFile.write(script: script, to: path.path)
        return RefreshRunner(
            executable: path.path,
            location: RefreshLocation(dataFolder: "/data", configFile: "/conf", socket: "/socket"), logger: logger)
    }

    @Test func itsOutputIsParsedAndItsLastErrorLinesBecomeOne() async throws {
        let runner = try runner(
            #"echo '{"feeds": 2}'; echo noise >&2; echo 'podcast-refresh: failed' >&2; echo 'try again' >&2; exit 75"#)
        let outcome = try await runner.run(["add"])
        expectEqual(outcome.document["feeds"]?.integerValue, 2)
        expectEqual(outcome.complaint, "failed; try again")
        expectEqual(outcome.status, 75)
        runner.close()
    }

    @Test func aSignalThatEndsItIsNamed() async throws {
        let runner = try runner("kill -9 $$")
        let failure = ControlError(try await runner.run(["add"]))
        expectEqual(failure.what, "podcast-refresh ended with signal 9")
        expectEqual(failure.code, .internalError)
        runner.close()
    }

    @Test func whatClientsNameIsNeverReadAsAnOption() async throws {
        let runner = try runner(#"printf '{"arguments": "%s", "socket": "%s"}' "$*" "$PODCASTD_SOCKET""#)
        let document = try await runner.run(["find", "--limit", "3"], on: ["--force"]).document
        expectEqual(
            document["arguments"]?.stringValue, "find --limit 3 --json --data-dir /data --config /conf -- --force")
        expectEqual(document["socket"]?.stringValue, "/socket")
        runner.close()
    }

    @Test func outputThatIsNotJSONIsAFailureWithTheErrorLines() async throws {
        let runner = try runner("echo oops; echo 'podcast-refresh: bad day' >&2")
        await #expect(throws: ControlError(.internalError, "invalid output of podcast-refresh: bad day")) {
            try await runner.run([])
        }
        runner.close()
    }

    @Test func aProgramThatIsMissingIsAFailure() async throws {
        let runner = RefreshRunner(
            executable: "/nowhere/podcast-refresh",
            location: RefreshLocation(dataFolder: "/data", configFile: nil, socket: "/socket"), logger: logger)
        await #expect(throws: ControlError.self) { try await runner.run([]) }
        runner.close()
    }

    @Test func nothingIsStartedAfterAnInterrupt() async throws {
        let runner = try runner("echo '{}'")
        runner.interrupt()
        await #expect(throws: CancellationError.self) { try await runner.run([]) }
        runner.close()
    }

    @Test func aCancelledRunEndsAndTheNextOneIsNotConcerned() async throws {
        let runner = try runner("[ \"$1\" = wait ] && { echo >'\(folder.path)/begun'; exec sleep 600; }; echo '{}'")
        let path = folder.path + "/begun"
        try StoredFile.makePipe(path)
        let waiting = Task { try await runner.run(["wait"]) }
        // Opening and reading wait until the script has begun.
        _ = try FileDescriptor.openForReading(path).readSome(upTo: 1)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        try await expectEqual(runner.run(["go"]).status, 0)
        runner.close()
    }

    @Test func documentsGoInAndOut() async throws {
        let runner = try runner("cat")
        let (input, output) = (try UnlinkedDocument(in: folder.path), try UnlinkedDocument(in: folder.path))
        try input.write(Array(#"{"a": 1}"#.utf8), at: 0)
        try await expectEqual(runner.run(["import"], on: ["-"], document: input).document["a"]?.integerValue, 1)
        let writer = try self.runner("echo exported")
        try await expectEqual(writer.run(["export"], into: output).status, 0)
        try expectEqual(StoredFile.read(output.descriptor.raw, at: 0, count: 100), Array("exported\n".utf8))
        runner.close()
        writer.close()
    }
}

@Suite(.ownThread) final class DocumentTransfersTests {
    private let folder = FileManager.default.temporaryDirectory.path
    private let transfers: DocumentTransfers

    init() { transfers = DocumentTransfers(folder: folder) }
    deinit { transfers.close() }

    @Test func anUploadIsCollectedAndTakenOnce() async throws {
        try transfers.open(for: ConnectionID(1))
        try await expectEqual(transfers.append([1, 2], from: ConnectionID(1)), 2)
        try await expectEqual(transfers.append([3], from: ConnectionID(1)), 3)
        let document = try transfers.takeIncoming(of: ConnectionID(1))
        try expectEqual(StoredFile.read(document.descriptor.raw, at: 0, count: 10), [1, 2, 3])
        #expect(throws: ControlError.self) { try transfers.takeIncoming(of: ConnectionID(1)) }
    }

    @Test func aPageEndsBetweenTwoCharacters() async throws {
        try transfers.open(for: ConnectionID(1))
        let document = try await transfers.makeOutgoing(for: ConnectionID(1))
        // The page's last byte would be the first of the two of "ü".
        let text = String(repeating: "a", count: 399_999) + "üb"
        try document.write(Array(text.utf8), at: 0)
        let first = try await transfers.page(of: ConnectionID(1), at: 0)
        expectEqual(first.text.utf8.count, 399_999)
        let second = try await transfers.page(of: ConnectionID(1), at: try #require(first.next))
        expectEqual(second.text, "üb")
        expectEqual(second.next, nil)
        await #expect(throws: ControlError.self) { try await self.transfers.page(of: ConnectionID(1), at: 0) }
    }

    @Test func sixteenConnectionsTransferAtATimeAndAnEndedOneMakesRoom() throws {
        for connection in 1...16 as ClosedRange<UInt64> { try transfers.open(for: ConnectionID(connection)) }
        #expect(throws: ControlError.self) { try transfers.open(for: ConnectionID(17)) }
        try transfers.open(for: ConnectionID(1))
        transfers.forget(ConnectionID(3))
        try transfers.open(for: ConnectionID(17))
        // A connection whose document was imported makes room, too.
        #expect(throws: ControlError.self) { try transfers.open(for: ConnectionID(18)) }
        _ = try? transfers.takeIncoming(of: ConnectionID(1))
        try transfers.open(for: ConnectionID(18))
    }
}
