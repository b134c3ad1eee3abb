internal import CLinux
internal import Glibc

/// One end of a pair of sockets that preserve message boundaries: socketpair(2), `SOCK_SEQPACKET`.
///
/// A message is sent completely or not at all. Sending from several threads is safe.
public struct MessageSocket: ~Copyable, Sendable {
    private let descriptor: FileDescriptor
    public var raw: Int32 { descriptor.raw }

    /// For an inherited descriptor.
    public init(owning raw: Int32) { descriptor = FileDescriptor(owning: raw) }

    /// Makes two ends of one connection, nonblocking and close-on-exec.
    public static func pair() throws(SystemError) -> MessageSocketPair {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        try retrying("socketpair") { unsafe socketpair(AF_UNIX, kind, 0, &ends) }
        return MessageSocketPair(near: MessageSocket(owning: ends[0]), far: MessageSocket(owning: ends[1]))
    }

    /// - Returns: false if the other end accepts no more now.
    /// - Throws: `SystemError` if the other end is gone.
    public borrowing func send(_ message: UnsafeRawBufferPointer) throws(SystemError) -> Bool {
        let number = raw
        do throws(SystemError) {
            try retrying("send") { unsafe Glibc.send(number, message.baseAddress, message.count, Int32(MSG_NOSIGNAL)) }
            return true
        } catch  where error.code == EAGAIN {
            return false
        }
    }

    /// - Returns: the message's length, or the buffer's plus one if longer; 0 if the other end is gone, nil without a message.
    public borrowing func receive(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int? {
        let number = raw
        do throws(SystemError) {
            let length = try retrying("recv") {
                unsafe recv(number, buffer.baseAddress, buffer.count, Int32(MSG_TRUNC))
            }
            return min(Int(length), buffer.count + 1)
        } catch  where error.code == EAGAIN {
            return nil
        } catch  where error.code == ECONNRESET {
            return 0
        }
    }
}

/// Both ends of a connection.
public struct MessageSocketPair: ~Copyable, Sendable {
    /// The end that stays.
    var near: MessageSocket
    /// The end for another process.
    public var far: MessageSocket

    /// Closes the far end after it was passed to another process.
    public consuming func keepingNear() -> MessageSocket { near }
}
