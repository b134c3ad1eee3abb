internal import Glibc
internal import PodcastModel

/// A growable buffer of bytes, which can also be removed from the front.
///
/// Not an array: the filter scans these bytes by pointer while it appends to another buffer, and passes them to a
/// throwing closure, so it needs a stable address without a closure around each use.
struct ByteBuffer: ~Copyable {
    private(set) var base: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int) {
        base = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit { base.deallocate() }

    var isEmpty: Bool { count == 0 }
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }
    var end: UnsafeMutablePointer<UInt8> { base + count }

    mutating func reserve(_ more: Int) {
        guard count + more > capacity else { return }
        capacity = max(capacity * 2, count + more)
        let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        memcpy(grown, base, count)
        base.deallocate()
        base = grown
    }

    /// Counts bytes that were written after `end`, following `reserve`.
    mutating func grew(by more: Int) { count += more }

    mutating func append(_ start: UnsafePointer<UInt8>, count more: Int) {
        reserve(more)
        memcpy(base + count, start, more)
        count += more
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if let start = bytes.baseAddress { append(start.assumingMemoryBound(to: UInt8.self), count: bytes.count) }
    }

    mutating func append(_ byte: UInt8) {
        reserve(1)
        base[count] = byte
        count += 1
    }

    mutating func append(_ text: StaticString) { append(text.utf8Start, count: text.utf8CodeUnitCount) }

    mutating func append(scalar: Unicode.Scalar) { for byte in UTF8.encode(scalar)! { append(byte) } }

    /// Appends UTF-8, escaped for text and for attribute values.
    mutating func append(escaping text: some Sequence<UInt8>) {
        for byte in text {
            if let reference = byte.markupReference { append(reference) } else { append(byte) }
        }
    }

    mutating func removeFirst(_ gone: Int) {
        count -= gone
        memmove(base, base + gone, count)
    }

    mutating func truncate(to count: Int) { self.count = count }

    /// Removes the bytes, and releases memory after an unusually long text.
    mutating func removeAll() {
        count = 0
        guard capacity > 1 << 20 else { return }
        base.deallocate()
        capacity = 4096
        base = .allocate(capacity: capacity)
    }
}
