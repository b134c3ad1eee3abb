/// The reply to a request for a resource: what is sent, with its faults.
struct Reply {
    enum Break {
        case wait(Wait)
        case reset
        case close
    }

    var status = 200
    var fields: [(name: String, value: String)] = []
    /// The body, as a range of offsets in the resource.
    var span: Range<Int>
    var isChunked = false
    var keepsOpen = true
    var rate: Int?
    /// In ascending order.
    var breaks: [(offset: Int, what: Break)] = []
    private var content: Resource.Content
    private var garbage: Range<Int>?

    init(_ resource: Resource, _ faults: [Fault], to request: LoggedRequest) throws {
        content = resource.content
        span = 0..<resource.count
        if let type = resource.contentType { fields.append(("Content-Type", type)) }
        if let etag = resource.etag { fields.append(("ETag", etag)) }
        if let date = resource.lastModified { fields.append(("Last-Modified", date)) }
        if Reply.isUnchanged(resource, request) {
            status = 304
            span = 0..<0
            return
        }
        var traits = Traits(faults)
        if let end = traits.end { span = 0..<min(end, resource.count) }
        let whole = span.upperBound
        garbage = traits.garbage
        rate = traits.rate

        if traits.hasRanges { applyRange(request, resource, &traits) }
        if status == 200, let gzip = resource.gzip, request["accept-encoding"]?.contains("gzip") == true {
            content = .bytes(gzip)
            span = 0..<gzip.count
            fields.append(("Content-Encoding", "gzip"))
        }
        if status == 206 {
            let first = span.lowerBound + traits.shift
            fields.append(("Content-Range", "bytes \(first)-\(first + span.count - 1)/\(whole)"))
        }
        if traits.hasRanges { fields.append(("Accept-Ranges", "bytes")) }
        switch traits.framing {
        case .length: fields.append(("Content-Length", "\(traits.announced ?? span.count)"))
        case .chunked:
            isChunked = true
            fields.append(("Transfer-Encoding", "chunked"))
        case .none: keepsOpen = false
        }
        // After a wrong Content-Length the connection cannot be used for another request.
        if traits.announced != nil { keepsOpen = false }
        fields += traits.fields
        breaks = traits.breaks(in: span)
    }

    /// The bytes of a part of the body.
    func bytes(_ part: Range<Int>) throws -> [UInt8] {
        var bytes: [UInt8]
        switch content {
        case .bytes(let all): bytes = Array(all[part])
        case .file(let file): bytes = try file.bytes(part)
        }
        if let noisy = garbage?.clamped(to: part), !noisy.isEmpty {
            for offset in noisy {
                bytes[offset - part.lowerBound] = UInt8(truncatingIfNeeded: offset &* 2_654_435_761 >> 7)
            }
        }
        return bytes
    }

    private mutating func applyRange(_ request: LoggedRequest, _ resource: Resource, _ traits: inout Traits) {
        let whole = span.upperBound
        guard let range = request.range(of: whole) else { return }
        if let validator = request["if-range"], validator != resource.etag, validator != resource.lastModified {
            return
        }
        if range.isEmpty || (traits.refusesRanges && range.lowerBound > 0) {
            status = 416
            span = 0..<0
            fields.append(("Content-Range", "bytes */\(whole)"))
        } else {
            status = 206
            span = range
        }
    }

    private static func isUnchanged(_ resource: Resource, _ request: LoggedRequest) -> Bool {
        if let tag = request["if-none-match"] { return tag == resource.etag || tag == "*" }
        if let date = request["if-modified-since"] { return date == resource.lastModified }
        return false
    }
}

/// A list of faults, sorted by the part they affect.
private struct Traits {
    enum Framing { case length, chunked, none }

    var framing = Framing.length
    var hasRanges = true
    var refusesRanges = false
    var shift = 0
    var announced: Int?
    var end: Int?
    var garbage: Range<Int>?
    var rate: Int?
    var fields: [(name: String, value: String)] = []
    private var offsets: [(offset: Int, what: Reply.Break)] = []
    private var resetAfter: Int?

    init(_ faults: [Fault]) {
        for fault in faults {
            switch fault {
            case .stall(let offset, let wait): offsets.append((offset, .wait(wait)))
            case .reset(let offset): offsets.append((offset, .reset))
            case .close(let offset): offsets.append((offset, .close))
            case .resetAfter(let count): resetAfter = count
            case .rate(let bytes): rate = bytes
            case .noLength: (framing, hasRanges) = (.none, false)
            case .chunked: (framing, hasRanges) = (.chunked, false)
            case .noRanges: hasRanges = false
            case .refusedRanges: refusesRanges = true
            case .shiftedContentRange(let count): shift = count
            case .announcedLength(let count): announced = count
            case .shortened(let count): end = count
            case .garbage(let range): garbage = range
            case .field(let name, let value): fields.append((name, value))
            }
        }
    }

    func breaks(in span: Range<Int>) -> [(offset: Int, what: Reply.Break)] {
        var all = offsets
        if let resetAfter { all.append((span.lowerBound + resetAfter, .reset)) }
        // A fault at the end of the body still applies: closing there changes nothing, a stall delays the end.
        return all.filter { $0.offset >= span.lowerBound && $0.offset <= span.upperBound }.sorted {
            $0.offset < $1.offset
        }
    }
}
