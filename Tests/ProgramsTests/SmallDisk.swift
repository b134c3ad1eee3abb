import Foundation
import Glibc
import TestSupport

/// A small separate file system, removed with its owner.
final class SmallDisk {
    let path: String
    private var fillers = 0

    /// Whether this process may mount one.
    static let isPossible: Bool = {
        guard geteuid() == 0, let scratch = try? Scratch(), let disk = try? SmallDisk(scratch.path + "/try", "64k")
        else { return false }
        withExtendedLifetime(disk) {}
        return true
    }()

    init(_ path: String, _ size: String) throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(size)") == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }

    /// Uses all remaining space except for a number of bytes, to the last page.
    func fill(leaving room: Int = 0) {
        let reserve = path + "/reserve"
        if room > 0 { try? Data(repeating: 0, count: room).write(to: URL(filePath: reserve)) }
        defer { unlink(reserve) }
        let file = open(path + "/filler", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(file) }
        let piece = [UInt8](repeating: 1, count: 4096)
        while write(file, piece, piece.count) > 0 {}
    }

    func makeRoom() { unlink(path + "/filler") }

    /// Lets nothing be written to a folder, as when somebody mounts it read-only, until `makeWritable`. Files that are open
    /// stay as they are: with such, the system would refuse to change the disk itself.
    static func makeReadOnly(_ path: String) throws {
        guard mount(path, path, nil, UInt(MS_BIND), nil) == 0,
            mount(nil, path, nil, UInt(MS_REMOUNT | MS_BIND | MS_RDONLY), nil) == 0
        else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Ends that.
    static func makeWritable(_ path: String) { umount2(path, Int32(MNT_DETACH)) }
}
