import Configuration
@testable import DaemonCore
import ControlLanguage
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite final class SettingsServiceTests {
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "settings-\(UUID().uuidString.prefix(8))")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: folder) }

    private func service(_ file: String) -> SettingsService {
        SettingsService(Settings(), path: folder.appending(path: file).path)
    }

    @Test func aChangeIsOnDiskAndObserved() async throws {
        let service = service("settings")
        let observed = Mutex<[String]>([])
        service.observe { settings in observed.withLock { $0.append(settings["playback.rebuffer"]) } }
        try await service.set("playback.rebuffer", to: "9")
        expectEqual(observed.withLock { $0 }, [service.current.settings["playback.rebuffer"]])
        let text = try String(contentsOf: folder.appending(path: "settings"), encoding: .utf8)
        expectContains(text, "rebuffer")
        service.close()
    }

    @Test func aChangeThatCannotBeWrittenDoesNotTakeEffect() async {
        let service = service("missing/settings")
        let before = service.current.settings["playback.rebuffer"]
        await #expect(throws: ControlError.self) { try await service.set("playback.rebuffer", to: "9") }
        expectEqual(service.current.settings["playback.rebuffer"], before)
        service.close()
    }

    @Test func aSettingThatNeedsARestartWaits() async throws {
        let service = service("settings")
        try await service.set("playback.rebuffer", to: "9")
        expectEqual(service.current.waiting, [])
        try await service.set("cache.size", to: "1G")
        expectEqual(service.current.waiting, ["cache.size"])
        service.close()
    }
}
