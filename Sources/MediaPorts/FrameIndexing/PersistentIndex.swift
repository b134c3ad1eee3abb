/// An index that grows while a file is decoded, and is stored with the decoder's input. One thread.
public struct PersistentIndex {
    public private(set) var index = FrameIndex()
    /// Where positions are estimated; nil if all are exact.
    public private(set) var estimate: EstimatedPlaces?
    /// Where the index is stored; nil before `load`.
    private var storage: (file: IndexedFile, input: any DecoderInput)?
    /// Number of stored entries; nil before the header is stored.
    private var storedCount: Int?

    /// Entries between two writes: 7 s of MPEG audio, 16 s of other audio. Unwritten entries are lost with the process.
    private static let batch = 16
    /// Invalidates the entry after the last one, which may be from an earlier index.
    private static let end = [UInt8](repeating: 0, count: StoredIndex.entrySize)

    public init() {}

    /// Reads the index that earlier sessions stored for this file. Without this call nothing is stored.
    /// - Parameter isPossible: see `StoredIndex.read`.
    public mutating func load(
        _ file: IndexedFile, from input: any DecoderInput,
        where isPossible: (_ last: FrameIndex.Entry?, FrameIndex.Entry) -> Bool = { _, _ in true }
    ) {
        storage = (file, input)
        let bytes = input.storedBytes(atMost: StoredIndex.maximumBytes)
        let stored = StoredIndex.read(bytes, of: file, where: isPossible)
        estimate = StoredIndex.estimate(in: bytes, of: file)
        storedCount = stored.entries.isEmpty && estimate == nil ? nil : stored.entries.count
        if stored.entries.count >= index.entries.count { index = stored }
    }

    public mutating func append(_ entry: FrameIndex.Entry) {
        if index.append(entry), index.entries.count - (storedCount ?? 0) >= Self.batch { store() }
    }

    public mutating func store() {
        let first = storedCount ?? 0
        guard index.entries.count > first, let input = begin() else { return }
        input.store(StoredIndex.bytes(of: index.entries[first...]) + Self.end, at: StoredIndex.offset(ofEntry: first))
        storedCount = index.entries.count
    }

    /// Stores where positions are estimated from now on; nil if they are exact.
    public mutating func use(_ estimate: EstimatedPlaces?) {
        guard estimate != self.estimate else { return }
        self.estimate = estimate
        begin()?.store(StoredIndex.bytes(of: estimate), at: StoredIndex.estimateOffset)
    }

    /// Stores a later frame of those whose positions are estimated, if the frame is far from the last stored one.
    public mutating func moveEstimate(to entry: FrameIndex.Entry) {
        if let moved = estimate?.moved(to: entry) { use(moved) }
    }

    /// Stores the header, unless it is stored.
    /// - Returns: nil if nothing can be stored.
    private mutating func begin() -> (any DecoderInput)? {
        guard let (file, input) = storage else { return nil }
        if storedCount == nil {
            input.store(StoredIndex.header(of: file) + Self.end, at: 0)
            storedCount = 0
        }
        return input
    }

    public mutating func removeEntries(from number: Int) {
        index.removeEntries(from: number)
        guard let storedCount, storedCount > number else { return }
        storage?.input.store(Self.end, at: StoredIndex.offset(ofEntry: number))
        self.storedCount = number
    }
}
