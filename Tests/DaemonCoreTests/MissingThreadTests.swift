@testable import DaemonCore
import Configuration
import ControlLanguage
import Foundation
import Glibc
import PodcastModel
import Reporting
import SystemCalls
import TestSupport
import Testing

/// Services on a system that has no room for another thread: each caller gets an answer.
@Suite struct MissingThreadTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("threads-\(UUID().uuidString)")
        .path
    private let worker = WorkerThread(name: .test) { name, _ throws(SystemError) in
        throw SystemError(code: EAGAIN, call: "pthread_create \(name)")
    }

    private func failure(of work: () async throws -> Void) async throws -> ControlError {
        do {
            try await work()
            throw ControlError(.internalError, "it was done")
        } catch {
            return ControlError(reporting: error)
        }
    }

    private func check(_ error: ControlError) {
        expectEqual(error.code, .unavailable)
        expectEqual(error.what, "pthread_create test: Resource temporarily unavailable")
        expectEqual(error.hint?.contains("try again"), true)
    }

    @Test func aBackupFails() async throws {
        let now: @Sendable () -> Timestamp = { Timestamp(milliseconds: 0) }
        let backups = BackupService(
            folder: BackupFolder(beside: folder + "/library.db"), activities: ActivityBoard(now: now), writer: worker,
            now: now, count: { 5 })
        check(try await failure { _ = try await backups.write() })
        backups.close()
    }

    @Test func aSettingFailsAndStaysAsItWas() async throws {
        let settings = SettingsService(Settings(), path: folder + "/settings", writer: worker)
        check(try await failure { try await settings.set("playback.rebuffer", to: "3s") })
        expectEqual(settings.current.settings["playback.rebuffer"], Settings()["playback.rebuffer"])
        await #expect(throws: SystemError.self) { _ = try await settings.reload { .success(Settings()) } }
        settings.close()
    }

    @Test func aDocumentFails() async throws {
        let transfers = DocumentTransfers(folder: folder, worker: worker)
        check(try await failure { _ = try await transfers.append([1], from: ConnectionID(1)) })
        transfers.close()
    }
}
