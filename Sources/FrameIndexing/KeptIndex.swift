public import MediaPorts

/// An index that grows while a file is decoded, and what of it is stored with the decoder's input. One thread.
public struct KeptIndex {
    public private(set) var index = FrameIndex()
    private var file: IndexedFile?
    /// Entries that are stored; nil while not even a header is.
    private var storedCount: Int?

    /// Entries between two writes: 7 s of MPEG audio, 16 s of other audio. What was not written is lost with the process.
    private static let batch = 16

    public init() {}

    /// Reads what earlier sessions stored for this file. Without a call nothing is stored.
    ///
    /// - Parameter isPossible: as in `StoredIndex.read`.
    public mutating func load(
        _ file: IndexedFile, from input: any DecoderInput,
        where isPossible: (_ last: FrameIndex.Entry?, FrameIndex.Entry) -> Bool = { _, _ in true }
    ) {
        self.file = file
        let stored = StoredIndex.read(
            input.keptBytes(atMost: StoredIndex.maximumBytes), of: file, where: isPossible)
        storedCount = stored.entries.isEmpty ? nil : stored.entries.count
        if stored.entries.count >= index.entries.count { index = stored }
    }

    /// Adds an entry; stores it with others once there are enough of them.
    public mutating func append(_ entry: FrameIndex.Entry, _ input: (any DecoderInput)?) {
        guard index.append(entry), let input else { return }
        if index.entries.count - (storedCount ?? 0) >= Self.batch { store(input) }
    }

    /// Stores the entries that are not stored yet.
    public mutating func store(_ input: any DecoderInput) {
        guard let file, index.entries.count > storedCount ?? 0 else { return }
        if storedCount == nil { input.keep(StoredIndex.header(of: file), at: 0) }
        let first = storedCount ?? 0
        // The entry after the last one is invalid, whatever an earlier index had there.
        let end = [UInt8](repeating: 0, count: StoredIndex.entrySize)
        input.keep(StoredIndex.bytes(of: index.entries[first...]) + end, at: StoredIndex.offset(ofEntry: first))
        storedCount = index.entries.count
    }

    /// Removes entries that turned out to be wrong, from a number on.
    public mutating func removeEntries(from number: Int, _ input: (any DecoderInput)?) {
        index.removeEntries(from: number)
        guard let storedCount, storedCount > number else { return }
        let end = [UInt8](repeating: 0, count: StoredIndex.entrySize)
        input?.keep(end, at: StoredIndex.offset(ofEntry: number))
        self.storedCount = number
    }
}
