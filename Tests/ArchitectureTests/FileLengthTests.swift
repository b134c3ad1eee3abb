import Foundation
import Testing

@Suite struct FileLengthTests {
    /// A longer file has more than one responsibility.
    private static let maximum = 400
    /// Paths of longer files, each with the reason.
    private static let exceptions: [String: String] = [:]

    @Test(arguments: ["Sources", "Tests", "Fuzz"])
    func filesAreShort(folder: String) throws {
        let root = checkout.appending(path: folder)
        let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        var count = 0
        while let file = files?.nextObject() as? URL {
            let path = file.path.dropFirst(checkout.path.count + 1)
            guard file.pathExtension == "swift", Self.exceptions[String(path)] == nil else { continue }
            let lines = try Data(contentsOf: file).count { $0 == UInt8(ascii: "\n") }
            #expect(lines <= Self.maximum, "\(path)")
            count += 1
        }
        #expect(count > 10)
    }

    @Test func exceptionsExist() {
        for path in Self.exceptions.keys {
            #expect(FileManager.default.fileExists(atPath: checkout.appending(path: path).path), "\(path)")
        }
    }
}
