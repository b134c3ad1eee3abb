internal import ControlLanguage
internal import Glibc
internal import PodcastModel
internal import SerialThreads
internal import Synchronization
internal import SystemCalls

private let largestDocument: Int64 = 1 << 30
/// Maximum connections with a transfer at the same time.
private let maximumTransfers = 16
/// Maximum bytes of an outgoing page: JSON may double the text, and a line has 1 MiB.
private let pageBytes = 400_000

/// Transfers of documents that are larger than a line of the socket. Each connection has at most one upload and one
/// download, which end with the connection. Files are read and written on a separate thread.
struct DocumentTransfers {
    private struct Transfer {
        var incoming: (document: UnlinkedDocument, size: Int64)?
        var outgoing: UnlinkedDocument?
        /// Whether a command is about to begin a document.
        var isOpen = false

        var takesPlace: Bool { isOpen || incoming != nil || outgoing != nil }
    }

    let folder: String
    var worker = WorkerThread(name: .transfer)
    private let transfers = Locked<[ConnectionID: Transfer]>([:])

    /// Allows a connection to transfer documents. On the server's thread, like `forget`, so that a document ends with its connection.
    func open(for connection: ConnectionID) throws(ControlError) {
        let isOpen = transfers.withLock { transfers in
            let others = transfers.count { $0.key != connection && $0.value.takesPlace }
            guard others < maximumTransfers else { return false }
            transfers[connection, default: Transfer()].isOpen = true
            return true
        }
        if !isOpen {
            throw ControlError(.unavailable, "too many documents are being transferred", hint: "try again in a moment")
        }
    }

    /// Appends a piece to a connection's upload. Returns the document's size so far.
    func append(_ bytes: [UInt8], from connection: ConnectionID) async throws -> Int64 {
        try await worker.run {
            let (document, size) = try incoming(of: connection)
            guard size + Int64(bytes.count) <= largestDocument else {
                transfers.withLock { $0[connection]?.incoming = nil }
                throw ControlError(.invalidArgument, "a document may have at most \(largestDocument >> 30) GiB")
            }
            try document.write(bytes, at: size)
            let now = size + Int64(bytes.count)
            transfers.withLock { $0[connection]?.incoming = (document, now) }
            return now
        }
    }

    func takeIncoming(of connection: ConnectionID) throws(ControlError) -> UnlinkedDocument {
        let document = transfers.withLock { transfers in
            transfers[connection]?.isOpen = false
            return transfers[connection]?.incoming.take()?.document
        }
        guard let document else {
            throw ControlError(
                .invalidArgument, "no document was uploaded", hint: "send 'document', or call feeds.upload first")
        }
        return document
    }

    func makeOutgoing(for connection: ConnectionID) async throws -> UnlinkedDocument {
        try await worker.run {
            // Keep the export in memory: users often export because the disk is full.
            let document = try UnlinkedDocument()
            transfers.withLock { $0[connection]?.outgoing = document }
            return document
        }
    }

    /// A page of a connection's outgoing document, and the offset of the next page; nil at the end.
    func page(of connection: ConnectionID, at offset: Int64) async throws -> (text: String, next: Int64?) {
        guard let document = transfers.withLock({ $0[connection]?.outgoing }) else {
            throw ControlError(.conflict, "no export is under way", hint: "start with offset 0")
        }
        let bytes = try await worker.run { try StoredFile.read(document.descriptor.raw, at: offset, count: pageBytes) }
        // End the page between two characters.
        var end = bytes.count
        if end == pageBytes {
            while end > 0, bytes[end - 1] & 0xC0 == 0x80 { end -= 1 }
            if end > 0, bytes[end - 1] & 0x80 != 0 { end -= 1 }
        }
        let isLast = bytes.count < pageBytes
        if isLast {
            transfers.withLock {
                $0[connection]?.outgoing = nil
                $0[connection]?.isOpen = false
            }
        }
        return (String(utf8: bytes[..<end]), isLast ? nil : offset + Int64(end))
    }

    func forget(_ connection: ConnectionID) { transfers.withLock { _ = $0.removeValue(forKey: connection) } }

    func close() { worker.finish() }

    private func incoming(of connection: ConnectionID) throws -> (document: UnlinkedDocument, size: Int64) {
        if let known = transfers.withLock({ $0[connection]?.incoming }) { return known }
        let document = try UnlinkedDocument(in: folder)
        transfers.withLock { $0[connection]?.incoming = (document, 0) }
        return (document, 0)
    }
}

/// A temporary file without a name; deleted when the last descriptor is closed.
final class UnlinkedDocument: Sendable {
    let descriptor: FileDescriptor

    /// A file of any size on the disk of a folder.
    init(in folder: String) throws(SystemError) {
        let path = "\(folder)/.document-\(CurrentProcess.number)-\(Self.number.add(1, ordering: .relaxed).newValue)"
        descriptor = try FileDescriptor.openPrivate(path, O_RDWR | O_EXCL | O_NOFOLLOW)
        try StoredFile.remove(path)
    }

    /// A document in memory, such as a secret that must not be written to a disk.
    init(_ text: String = "") throws(SystemError) {
        descriptor = try MemoryFile(name: "document").openForWriting()
        try write(Array(text.utf8), at: 0)
    }

    private static let number = Atomic<Int>(0)

    func text(atMost bytes: Int) throws(SystemError) -> String {
        String(utf8: try StoredFile.read(descriptor.raw, at: 0, count: bytes))
    }

    func write(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
        try StoredFile.write(descriptor.raw, at: offset, bytes)
    }
}
