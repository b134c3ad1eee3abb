internal import CLinux
internal import Glibc

/// One end of a pair of sockets that keep messages apart: socketpair(2), `SOCK_SEQPACKET`.
///
/// A message is sent whole or not at all. Sending from several threads is safe.
public struct MessageSocket: ~Copyable, Sendable {
    private let descriptor: FileDescriptor
    public var raw: Int32 { descriptor.raw }

    /// Takes over a descriptor that was inherited.
    public init(owning raw: Int32) { descriptor = FileDescriptor(owning: raw) }

    /// Makes two ends of one connection, non-blocking and close-on-exec.
    public static func pair() throws(SystemError) -> MessageSocketPair {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        try retrying("socketpair") { unsafe socketpair(AF_UNIX, kind, 0, &ends) }
        return MessageSocketPair(near: MessageSocket(owning: ends[0]), far: MessageSocket(owning: ends[1]))
    }

    /// Sends one message.
    ///
    /// - Returns: false when the other end does not take any more now.
    /// - Throws: `SystemError` when the other end is gone.
    public borrowing func send(_ message: UnsafeRawBufferPointer) throws(SystemError) -> Bool {
        let number = raw
        do throws(SystemError) {
            try retrying("send") { unsafe Glibc.send(number, message.baseAddress, message.count, Int32(MSG_NOSIGNAL)) }
            return true
        } catch  where error.code == EAGAIN {
            return false
        }
    }

    /// Receives one message.
    ///
    /// - Returns: its length, 0 when the other end is gone, nil when there is none now. A message that is longer than the
    ///   buffer gives the buffer's length plus one.
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
    public var near: MessageSocket
    /// The end that is given away.
    public var far: MessageSocket

    /// Closes the far end, once it was given to another process.
    public consuming func keepingNear() -> MessageSocket { near }
}

/// A pipe: pipe2(2), close-on-exec.
public struct Pipe: ~Copyable, Sendable {
    /// The end to read from.
    public var reading: FileDescriptor
    /// The end to write to.
    public var writing: FileDescriptor

    /// Makes a pipe whose ends both wait.
    public init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        try retrying("pipe") { unsafe shim_pipe(&ends, O_CLOEXEC) }
        reading = FileDescriptor(owning: ends[0])
        writing = FileDescriptor(owning: ends[1])
    }

    /// Closes the writing end, once it was given to another process: the reading end then sees when that process is gone.
    public consuming func closingWriting() -> FileDescriptor { reading }

    /// Closes the reading end, once it was given to another process.
    public consuming func closingReading() -> FileDescriptor { writing }

    /// Makes reads from a descriptor return at once: fcntl(2) `O_NONBLOCK`.
    public static func makeNonBlocking(_ descriptor: Int32) throws(SystemError) {
        let flags = try retrying("fcntl") { shim_fcntl(descriptor, F_GETFL, 0) }
        try retrying("fcntl") { shim_fcntl(descriptor, F_SETFL, Int(flags | O_NONBLOCK)) }
    }
}

/// Reads what is there: read(2).
///
/// - Returns: bytes read, 0 at the end, nil when a non-blocking descriptor has nothing now.
public func readSome(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
) throws(SystemError) -> Int? {
    do throws(SystemError) {
        return try retrying("read") { unsafe read(descriptor, buffer.baseAddress, buffer.count) }
    } catch  where error.code == EAGAIN {
        return nil
    }
}

/// Reads from an offset without moving the file's own: pread(2).
///
/// - Returns: bytes read, 0 at the end of the file.
public func readSome(
    _ descriptor: Int32, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
) throws(SystemError) -> Int {
    try retrying("pread") { unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
}

/// The length of an open file in bytes: fstat(2).
public func sizeOfFile(_ descriptor: Int32) throws(SystemError) -> Int64 {
    var attributes = stat()
    try retrying("fstat") { unsafe fstat(descriptor, &attributes) }
    return Int64(attributes.st_size)
}
