import EpisodeCache
import Foundation
import MediaPorts
import SystemCalls
import Testing
import TestSupport

@Suite(.ownThread) struct LocalFileSourceTests {
    private func withFile(_ contents: String, _ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("local ü-" + UUID().uuidString).path
        try contents.write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    @Test func aFileIsAvailableFromTheStart() throws {
        try withFile("hello") { (path) throws in
            let source = try LocalFileSource(path)
            expectEqual(source.snapshot, ByteSourceSnapshot(length: 5, available: [0..<5], phase: .complete))
            try expectEqual(StoredFile.read(source.descriptor, at: 1, count: 3), Array("ell".utf8))
            source.close()
            expectEqual(source.descriptor, -1)
        }
    }

    @Test func aFileURLIsAPath() throws {
        try withFile("hello") { (path) throws in
            let url = URL(fileURLWithPath: path).absoluteString
            expectContains(url, "%20")
            try expectEqual(LocalFileSource(url).snapshot.length, 5)
            try expectEqual(
                LocalFileSource("file://localhost" + URL(fileURLWithPath: path).path(percentEncoded: true)).snapshot
                    .length, 5)
        }
    }

    @Test func anEmptyFileHasNoRanges() throws {
        try withFile("") { (path) throws in
            #expect(try LocalFileSource(path).snapshot.available.isEmpty)
        }
    }

    @Test(arguments: ["/nowhere/at/all", "/tmp", "/dev/null", "file://host/x", "file:relative"])
    func whatIsNoFileIsNotFound(path: String) {
        #expect { _ = try LocalFileSource(path) } throws: { ($0 as? MediaFailure)?.kind == .notFound }
    }

    @Test func aFIFODoesNotBlock() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("fifo-" + UUID().uuidString).path
        expectEqual(mkfifo(path, 0o600), 0)
        defer { unlink(path) }
        #expect(throws: MediaFailure.self) { _ = try LocalFileSource(path) }
    }
}
