internal import SystemCalls

/// Which file a path leads to: its device and inode. Two values differ if the file at the path was replaced.
public struct LibraryFile: Equatable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    /// The file at a path, nil when there is none: stat(2).
    public init?(at path: String) {
        guard let status = try? FileStatus(path: path) else { return nil }
        (device, inode) = (status.device, status.inode)
    }
}
