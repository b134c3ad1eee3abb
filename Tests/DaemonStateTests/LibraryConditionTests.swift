import Foundation
import Library
import LibraryUpkeep
import PodcastModel
import TestSupport
import Testing

@testable import DaemonCore

/// What `doctor` finds at the library's path while the daemon has its library open.
@Suite struct LibraryConditionTests {
    @Test func aRemovedOrReplacedLibraryIsNotTheOneThatIsOpen() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("doctor-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("library.db").path
        let store = try LibraryStore(path: path)
        expectEqual(LibraryCondition(at: path, opened: store.file), .inPlace)
        let backup = try BackupFolder(beside: path).write(at: Timestamp(seconds: 0))
        try FileManager.default.removeItem(atPath: path)
        expectEqual(LibraryCondition(at: path, opened: store.file), .removed(latestBackup: backup.path))
        try FileManager.default.moveItem(atPath: backup.path, toPath: path)
        expectEqual(LibraryCondition(at: path, opened: store.file), .replaced)
    }
}
