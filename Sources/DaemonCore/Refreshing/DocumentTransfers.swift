internal import ControlProtocol
internal import Glibc
internal import Synchronization
internal import SystemCalls

/// A document without a name, gone with its last descriptor.
final class UnlinkedDocument: Sendable {
    /// Where it can be read and written.
    let descriptor: FileDescriptor

    /// Makes an empty one on the disk of a folder.
    init(in folder: String) throws(SystemError) {
        let path = "\(folder)/.document-\(getpid())-\(Self.number.add(1, ordering: .relaxed).newValue)"
        descriptor = try FileDescriptor.openPrivate(path, O_RDWR | O_EXCL | O_NOFOLLOW)
        unlink(path)
    }

    private static let number = Atomic<Int>(0)

    /// Writes all bytes at an offset.
    func write(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
        let number = descriptor.raw
        let outcome = bytes.withUnsafeBytes { bytes in
            Result { () throws(SystemError) in try StoredFile.write(number, at: offset, bytes) }
        }
        try outcome.get()
    }
}

/// Documents that are larger than a line of the socket may be, on their way in or out in pieces: one each way for a
/// connection, gone with it. Files are touched on a thread of its own.
final class DocumentTransfers: Sendable {
    /// Bytes of a document at most, either way.
    static let largest: Int64 = 1 << 30
    /// Connections that may be at it at a time.
    private static let maximumTransfers = 16
    /// Bytes of a page that goes out: text that JSON may double.
    private static let pageBytes = 400_000

    private struct Transfer {
        var incoming: (document: UnlinkedDocument, size: Int64)?
        var outgoing: UnlinkedDocument?
    }

    private let folder: String
    private let worker: WorkerThread
    private let transfers = Mutex<[ConnectionID: Transfer]>([:])

    /// Documents on the disk of a folder.
    init(folder: String, worker: WorkerThread = WorkerThread(name: "transfer")) {
        self.folder = folder
        self.worker = worker
    }

    /// Makes room for a connection's documents; on the server's thread, as `forget`, so that nothing is kept for a
    /// connection that is gone.
    func open(for connection: ConnectionID) throws(ControlError) {
        let isOpen = transfers.withLock { transfers in
            guard transfers[connection] != nil || transfers.count < Self.maximumTransfers else { return false }
            if transfers[connection] == nil { transfers[connection] = Transfer() }
            return true
        }
        if !isOpen {
            throw ControlError(.unavailable, "too many documents are on their way", hint: "try again in a moment")
        }
    }

    /// Takes the next piece of a document.
    ///
    /// - Returns: its size so far.
    func append(_ bytes: [UInt8], from connection: ConnectionID) async throws -> Int64 {
        try await worker.run { [self] in
            let (document, size) = try incoming(of: connection)
            guard size + Int64(bytes.count) <= Self.largest else {
                transfers.withLock { $0[connection]?.incoming = nil }
                throw ControlError(.invalidArgument, "a document may have \(Self.largest >> 30) GiB")
            }
            try document.write(bytes, at: size)
            let now = size + Int64(bytes.count)
            transfers.withLock { $0[connection]?.incoming = (document, now) }
            return now
        }
    }

    /// The document that a connection has handed over; it is taken out.
    func takeIncoming(of connection: ConnectionID) throws(ControlError) -> UnlinkedDocument {
        let document = transfers.withLock { transfers in
            defer { transfers[connection]?.incoming = nil }
            return transfers[connection]?.incoming?.document
        }
        guard let document else {
            throw ControlError(
                .invalidArgument, "nothing was handed over", hint: "give 'document', or call feeds.upload before")
        }
        return document
    }

    /// An empty document that a connection will read.
    func makeOutgoing(for connection: ConnectionID) async throws -> UnlinkedDocument {
        try await worker.run { [self] in
            let document = try UnlinkedDocument(in: folder)
            transfers.withLock { $0[connection]?.outgoing = document }
            return document
        }
    }

    /// A piece of the document that was made last for a connection, and where the next one begins; nil at the end.
    func page(of connection: ConnectionID, at offset: Int64) async throws -> (text: String, next: Int64?) {
        guard let document = transfers.withLock({ $0[connection]?.outgoing }) else {
            throw ControlError(.conflict, "no export is going on", hint: "begin with offset 0")
        }
        let bytes = try await worker.run {
            try StoredFile.read(document.descriptor.raw, at: offset, count: Self.pageBytes)
        }
        // A character is not cut in two.
        var end = bytes.count
        if end == Self.pageBytes {
            while end > 0, bytes[end - 1] & 0xC0 == 0x80 { end -= 1 }
            if end > 0, bytes[end - 1] & 0x80 != 0 { end -= 1 }
        }
        let isLast = bytes.count < Self.pageBytes
        if isLast { transfers.withLock { $0[connection]?.outgoing = nil } }
        return (String(decoding: bytes[..<end], as: UTF8.self), isLast ? nil : offset + Int64(end))
    }

    /// A connection is gone.
    func forget(_ connection: ConnectionID) { transfers.withLock { _ = $0.removeValue(forKey: connection) } }

    /// Ends the thread.
    func close() { worker.finish() }

    private func incoming(of connection: ConnectionID) throws -> (document: UnlinkedDocument, size: Int64) {
        if let known = transfers.withLock({ $0[connection]?.incoming }) { return known }
        let document = try UnlinkedDocument(in: folder)
        transfers.withLock { $0[connection]?.incoming = (document, 0) }
        return (document, 0)
    }
}
