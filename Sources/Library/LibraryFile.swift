internal import Glibc

/// Which file a path leads to: its device and inode. Two values differ if the file at the path was replaced.
public struct LibraryFile: Equatable, Sendable {
    private let device: UInt
    private let inode: UInt

    /// The file at a path, nil when there is none: stat(2).
    public init?(at path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, inode) = (UInt(status.st_dev), UInt(status.st_ino))
    }
}
