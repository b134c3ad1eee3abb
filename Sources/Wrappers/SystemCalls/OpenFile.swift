internal import CLinux
internal import Glibc

/// A descriptor with several owners; closed with the last owner.
public final class OpenFile: Sendable {
    private let descriptor: FileDescriptor

    public init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

    /// Valid as long as this object lives.
    public var raw: Int32 { descriptor.raw }

    /// A second descriptor of the same open file.
    public func duplicate() throws(SystemError) -> FileDescriptor { try descriptor.duplicate() }

    /// True if the descriptor allows only reading, with read(2): not opened for writing, nor with `O_PATH`.
    public var isReadOnly: Bool { shim_is_read_only(raw) != 0 }
}

extension LocalSocket {
    /// recvmsg(2): bytes, and at most one descriptor (close-on-exec) for `file`, which is unchanged if none came.
    public static func receive(
        _ socket: Int32, into buffer: UnsafeMutableRawBufferPointer, file: inout OpenFile?
    ) throws(SystemError) -> Transfer {
        var descriptor: Int32 = -1
        defer { if descriptor >= 0 { file = OpenFile(FileDescriptor(owning: descriptor)) } }
        return try receiving("recvmsg") {
            unsafe shim_receive_with_descriptor(socket, buffer.baseAddress, buffer.count, &descriptor)
        }
    }

    /// Sends as much as there is room for, and with the first byte a descriptor: sendmsg(2). Raises no SIGPIPE.
    public static func send(
        _ socket: Int32, _ bytes: UnsafeRawBufferPointer, file: OpenFile
    ) throws(SystemError) -> Transfer {
        try transferring("sendmsg") {
            unsafe shim_send_with_descriptor(socket, bytes.baseAddress, bytes.count, file.raw)
        }
    }
}
