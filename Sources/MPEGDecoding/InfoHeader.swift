internal import PodcastModel

/// The frame without audio that describes the whole file: Xing or Info with LAME's extension, or VBRI (Fraunhofer). Sources: Xing
/// SDK's header, gabriel.mp3-tech.org/mp3infotag.html, codeproject's "MPEG Audio Frame Header".
struct InfoHeader {
    /// Number of MPEG frames after the Info frame.
    var frameCount: Int64?
    /// Bytes from the start of the Info frame to the end of the last frame.
    var byteCount: Int64?
    /// Samples that the encoder added before and after the original.
    var delay: Int?
    var padding: Int?
    /// Seek table: byte `places[i]` after the Info frame's start is at time `i * placesStep` of the whole.
    var places: [Double] = []

    /// Parses the bytes of a frame after its four header bytes; nil for an ordinary frame.
    init?(_ body: [UInt8], isLowRate: Bool, channels: Int) {
        let sideInfo = isLowRate ? (channels == 1 ? 9 : 17) : (channels == 1 ? 17 : 32)
        // A checksum of two bytes may precede the side information.
        for offset in [sideInfo, sideInfo + 2] {
            if let name = body.text(at: offset), name == "Xing" || name == "Info" {
                readXing(body, offset, hasTable: name == "Xing")
                return
            }
        }
        guard body.text(at: 32) == "VBRI" else { return nil }
        readVBRI(body)
    }

    private mutating func readXing(_ body: [UInt8], _ start: Int, hasTable: Bool) {
        guard let flags = body.bigEndian(at: start + 4, bytes: 4) else { return }
        var place = start + 8
        if flags & 1 != 0 {
            frameCount = body.positive(at: place)
            place += 4
        }
        if flags & 2 != 0 {
            byteCount = body.positive(at: place)
            place += 4
        }
        if flags & 4 != 0 {
            // "Info" means a constant bit rate, for which a straight line is more exact than a table of 256 steps.
            if hasTable, let byteCount, place + 100 <= body.count {
                let table = (0..<100).map { Double(body[place + $0]) / 256 * Double(byteCount) }
                if zip(table, table.dropFirst()).allSatisfy({ $0 <= $1 }) { places = table + [Double(byteCount)] }
            }
            place += 100
        }
        if flags & 8 != 0 { place += 4 }
        // LAME: a name of 9 bytes, 12 bytes of settings, then delay and padding of 12 bits each.
        guard let first = body.bigEndian(at: place, bytes: 1), first != 0,
            let both = body.bigEndian(at: place + 21, bytes: 3)
        else { return }
        delay = Int(both >> 12)
        padding = Int(both & 0xFFF)
    }

    private mutating func readVBRI(_ body: [UInt8]) {
        byteCount = body.positive(at: 42)
        frameCount = body.positive(at: 46)
        guard let entries = body.bigEndian(at: 50, bytes: 2),
            let scale = body.bigEndian(at: 52, bytes: 2),
            let size = body.bigEndian(at: 54, bytes: 2), (1...4).contains(size), let byteCount
        else { return }
        var sum = 0.0
        var table = [0.0]
        for index in 0..<Int(entries) {
            guard let step = body.bigEndian(at: 58 + index * Int(size), bytes: Int(size)) else { return }
            sum += Double(step * scale)
            table.append(sum)
        }
        // Ignore truncated tables and wrong scales.
        if table.count > 2, abs(sum - Double(byteCount)) < Double(byteCount) / 20 { places = table }
    }

    /// The byte, from the start of the Info frame, that is played at a fraction (0 to 1) of the whole.
    func place(at share: Double) -> Double? {
        guard places.count > 1 else { return nil }
        let step = max(0, min(share, 1)) * Double(places.count - 1)
        let index = min(Int(step), places.count - 2)
        return places[index] + (places[index + 1] - places[index]) * (step - Double(index))
    }

    /// The inverse of `place(at:)`.
    func share(at place: Double) -> Double? {
        guard places.count > 1 else { return nil }
        let index = max(1, places.firstIndex { $0 > place } ?? places.count - 1)
        let span = places[index] - places[index - 1]
        let part = span > 0 ? max(0, min((place - places[index - 1]) / span, 1)) : 0
        return (Double(index - 1) + part) / Double(places.count - 1)
    }
}

extension [UInt8] {
    /// A big-endian number of at most 4 bytes; nil outside of the data.
    func bigEndian(at offset: Int, bytes: Int) -> Int64? {
        guard offset >= 0, offset + bytes <= count else { return nil }
        return self[offset..<offset + bytes].reduce(0) { $0 << 8 | Int64($1) }
    }

    /// A number of 4 bytes; nil for 0 and outside of the data.
    func positive(at offset: Int) -> Int64? { bigEndian(at: offset, bytes: 4).flatMap { $0 > 0 ? $0 : nil } }

    /// Four characters of ASCII.
    func text(at offset: Int) -> String? {
        guard offset + 4 <= count else { return nil }
        return String(utf8: self[offset..<offset + 4])
    }
}
