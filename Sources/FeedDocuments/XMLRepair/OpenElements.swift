internal import Glibc
internal import PodcastModel

/// The names of the open elements, outermost first, in one buffer.
struct OpenElements: ~Copyable {
    private var names = ByteBuffer(capacity: 512)
    private var starts: [Int] = []
    /// The number of namespaces that elements declare, by the index of the element.
    private var declaring: [(index: Int, namespaces: Int)] = []
    private(set) var namespaces = 0

    var count: Int { starts.count }

    mutating func push(_ name: Bytes, _ length: Int, namespaces: Int = 0) {
        if namespaces > 0 {
            declaring.append((starts.count, namespaces))
            self.namespaces += namespaces
        }
        starts.append(names.count)
        names.append(name, count: length)
    }

    mutating func pop() {
        guard let start = starts.popLast() else { return }
        names.truncate(to: start)
        if let last = declaring.last, last.index == starts.count {
            namespaces -= last.namespaces
            declaring.removeLast()
        }
    }

    @inline(__always)
    func innermostIs(_ name: Bytes, _ length: Int) -> Bool {
        guard let start = starts.last else { return false }
        return names.count - start == length && memcmp(names.base + start, name, length) == 0
    }

    /// The length of the innermost element's name; 0 if none is open.
    @inline(__always)
    var innermostLength: Int {
        guard let start = starts.last else { return 0 }
        return names.count - start
    }

    /// Indexes begin at the outermost element.
    func name(_ index: Int) -> UnsafeBufferPointer<UInt8> {
        let end = index + 1 < starts.count ? starts[index + 1] : names.count
        return UnsafeBufferPointer(start: names.base + starts[index], count: end - starts[index])
    }

    /// The beginning of a name, for messages.
    func shownName(_ index: Int) -> String { String(utf8: name(index).prefix(40)) }

    func lastIndex(of name: Bytes, _ length: Int) -> Int? {
        starts.indices.last { index in
            let candidate = self.name(index)
            return candidate.count == length && memcmp(candidate.baseAddress!, name, length) == 0
        }
    }
}
