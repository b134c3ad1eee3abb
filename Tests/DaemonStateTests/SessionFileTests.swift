@testable import DaemonCore
import Foundation
import PodcastModel
import Reporting
import TestSupport
import Testing

/// The file of the session, which the next start reads.
@Suite(.ownThread) struct SessionFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "session-\(UUID().uuidString)")
    private let logger = Logger(levels: LogLevels(.error), hasPriorities: false, output: { _ in })

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func open() -> SessionFile { SessionFile(folder.appending(path: "session").path, logger: logger) }

    @Test func theNextStartReadsWhatWasKept() async throws {
        let file = open()
        try await file.save { $0.volume = 40 }
        expectEqual(open().session.volume, 40)
        file.saveSoon { $0.context = PlayContext(.feed(FeedID(3)), .oldestFirst) }
        file.close()
        expectEqual(open().session.context, PlayContext(.feed(FeedID(3)), .oldestFirst))
    }

    @Test func aStopOfTheDaemonIsNotAStopByTheUser() async throws {
        let file = open()
        try await file.save { $0.playingBoot = "boot" }
        file.freeze()
        try await file.save { $0.playingBoot = nil }
        file.close()
        expectEqual(open().session.playingBoot, "boot")
    }

    @Test func aFileThatCannotBeReadMeansTheDefaults() throws {
        try Data("{".utf8).write(to: folder.appending(path: "session"))
        expectEqual(open().session, PlayerSession())
    }

    @Test func aChangeIsInEffectAlsoIfItCannotBeWritten() async throws {
        let file = open()
        try FileManager.default.removeItem(at: folder)
        await #expect(throws: (any Error).self) { try await file.save { $0.volume = 40 } }
        expectEqual(file.session.volume, 40)
        file.close()
    }
}
