internal import Glibc

/// A reusable buffer of bytes.
///
/// Not an array: all texts of a feed pass through it, and an array would check at every step whether it is shared.
struct TextBuffer: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private var capacity: Int

    init() {
        capacity = 4096
        base = .allocate(capacity: capacity)
    }

    deinit { base.deallocate() }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    /// Removes the bytes, and releases memory after an unusually long text.
    mutating func removeAll() {
        count = 0
        guard capacity > 1 << 20 else { return }
        base.deallocate()
        capacity = 4096
        base = .allocate(capacity: capacity)
    }

    private mutating func grow(_ more: Int) {
        capacity = max(capacity * 2, count + more)
        let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        memcpy(grown, base, count)
        base.deallocate()
        base = grown
    }

    mutating func append(_ text: UnsafeRawBufferPointer) {
        guard let start = text.baseAddress else { return }
        if count + text.count > capacity { grow(text.count) }
        memcpy(base + count, start, text.count)
        count += text.count
    }

    mutating func append(_ byte: UInt8) {
        if count == capacity { grow(1) }
        base[count] = byte
        count += 1
    }

    mutating func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Number of bytes that `append(escaping:)` writes for a byte.
    static func escapedLength(of byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: "&"): 5
        case UInt8(ascii: "<"), UInt8(ascii: ">"): 4
        case UInt8(ascii: "\""): 6
        default: 1
        }
    }

    /// Appends text with markup characters escaped.
    mutating func append(escaping text: UnsafeRawBufferPointer) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "&"): append("&amp;")
            case UInt8(ascii: "<"): append("&lt;")
            case UInt8(ascii: ">"): append("&gt;")
            case UInt8(ascii: "\""): append("&quot;")
            default: append(byte)
            }
        }
    }
}
