import Foundation

/// A folder of a test's own, gone with it.
final class TemporaryFolder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("AudioOutput-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: file(name)))) }
}

extension [UInt8] {
    /// A little-endian number at an offset.
    func number<Number: FixedWidthInteger>(at offset: Int, as type: Number.Type = Number.self) -> Number {
        self[offset..<(offset + MemoryLayout<Number>.size)].withUnsafeBytes {
            Number(littleEndian: $0.loadUnaligned(as: type))
        }
    }

    /// Text at an offset.
    func text(at offset: Int, _ count: Int) -> String {
        String(decoding: self[offset..<(offset + count)], as: UTF8.self)
    }
}
