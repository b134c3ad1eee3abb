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

    /// - Returns: the message's length, 0 if the other end is gone, nil if there is no message now. A message that is
    ///   longer than the buffer gives the buffer's length plus one.
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

/// A pipe: pipe2(2), close-on-exec.
public struct Pipe: ~Copyable, Sendable {
    public var reading: FileDescriptor
    public var writing: FileDescriptor

    /// Makes a pipe with blocking ends.
    public init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        try retrying("pipe") { unsafe shim_pipe(&ends, O_CLOEXEC) }
        reading = FileDescriptor(owning: ends[0])
        writing = FileDescriptor(owning: ends[1])
    }

    /// Closes the writing end after passing it to another process; the reading end then shows that process's end.
    public consuming func closingWriting() -> FileDescriptor { reading }

    /// Closes the reading end after it was passed to another process.
    public consuming func closingReading() -> FileDescriptor { writing }

    /// Makes reads from a descriptor nonblocking: fcntl(2) `O_NONBLOCK`.
    public static func makeNonBlocking(_ descriptor: Int32) throws(SystemError) {
        let flags = try retrying("fcntl") { shim_fcntl(descriptor, F_GETFL, 0) }
        try retrying("fcntl") { shim_fcntl(descriptor, F_SETFL, Int(flags | O_NONBLOCK)) }
    }
}

/// Reads available bytes: read(2).
/// - Returns: number of bytes, 0 at the end, nil if a nonblocking descriptor has no bytes now.
public func readSome(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
) throws(SystemError) -> Int? {
    do throws(SystemError) {
        return try retrying("read") { unsafe read(descriptor, buffer.baseAddress, buffer.count) }
    } catch  where error.code == EAGAIN {
        return nil
    }
}

/// Reads at an offset without moving the file position: pread(2).
/// - Returns: number of bytes, 0 at the end of the file.
public func readSome(
    _ descriptor: Int32, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
) throws(SystemError) -> Int {
    try retrying("pread") { unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
}

/// In bytes: fstat(2).
public func sizeOfFile(_ descriptor: Int32) throws(SystemError) -> Int64 {
    var attributes = stat()
    try retrying("fstat") { unsafe fstat(descriptor, &attributes) }
    return Int64(attributes.st_size)
}
