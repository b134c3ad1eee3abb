/// An index that grows while a file is decoded, and is stored with the decoder's input. One thread.
public struct PersistentIndex {
    public private(set) var index = FrameIndex()
    /// Where positions are estimated; nil if all are exact.
    public private(set) var estimate: EstimatedPlaces?
    private var file: IndexedFile?
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
        self.file = file
        let bytes = input.storedBytes(atMost: StoredIndex.maximumBytes)
        let stored = StoredIndex.read(bytes, of: file, where: isPossible)
        estimate = StoredIndex.estimate(in: bytes, of: file)
        storedCount = stored.entries.isEmpty && estimate == nil ? nil : stored.entries.count
        if stored.entries.count >= index.entries.count { index = stored }
    }

    public mutating func append(_ entry: FrameIndex.Entry, _ input: (any DecoderInput)?) {
        guard index.append(entry), let input else { return }
        if index.entries.count - (storedCount ?? 0) >= Self.batch { store(input) }
    }

    public mutating func store(_ input: any DecoderInput) {
        guard index.entries.count > storedCount ?? 0, begin(input) else { return }
        let first = storedCount ?? 0
        input.store(StoredIndex.bytes(of: index.entries[first...]) + Self.end, at: StoredIndex.offset(ofEntry: first))
        storedCount = index.entries.count
    }

    /// Stores where positions are estimated from now on; nil if they are exact.
    public mutating func use(_ estimate: EstimatedPlaces?, _ input: (any DecoderInput)?) {
        guard estimate != self.estimate else { return }
        self.estimate = estimate
        guard let input, begin(input) else { return }
        input.store(StoredIndex.bytes(of: estimate), at: StoredIndex.estimateOffset)
    }

    /// Stores the header, unless it is stored. Returns true if something can be stored.
    private mutating func begin(_ input: any DecoderInput) -> Bool {
        guard let file else { return false }
        if storedCount == nil {
            input.store(StoredIndex.header(of: file) + Self.end, at: 0)
            storedCount = 0
        }
        return true
    }

    public mutating func removeEntries(from number: Int, _ input: (any DecoderInput)?) {
        index.removeEntries(from: number)
        guard let storedCount, storedCount > number else { return }
        input?.store(Self.end, at: StoredIndex.offset(ofEntry: number))
        self.storedCount = number
    }
}
