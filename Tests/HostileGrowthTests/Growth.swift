import ChildProcess
import Foundation
import Testing

/// A kind of input that is made in any size.
struct HostileDocument: Sendable, CustomTestStringConvertible {
    /// What is special about it.
    let name: String
    /// The size of the smallest of three inputs: beyond all limits, so that what is not bounded shows.
    let unit: Int
    /// Makes an input of about as many bytes.
    let make: @Sendable (_ bytes: Int) -> String

    init(_ name: String, unit: Int = 16 << 10, _ make: @escaping @Sendable (_ bytes: Int) -> String) {
        self.name = name
        self.unit = unit
        self.make = make
    }

    var testDescription: String { name }
}

/// What a program's work for an input may grow to when the input doubles.
enum Growth {
    /// More than twice, because buffers and tables grow in steps; four times is quadratic.
    private static let mostForADoubling = 2.3
    /// Instructions that count as nothing: start-up differs by some thousands from run to run.
    private static let noise = 3_000_000.0

    /// Runs a program on inputs of one, two and four units. The work for an empty input is not counted.
    ///
    /// - Parameter launch: the program and its arguments for an input in that file.
    static func expectLinear(
        _ document: HostileDocument, empty: String, launch: (_ path: String) -> Launch
    ) throws {
        let scratch = try Scratch()
        func work(_ text: String) throws -> Double {
            Double(try Callgrind.instructions(of: launch(try scratch.file("input", text))))
        }
        let start = try work(empty)
        let costs = try [1, 2, 4].map { try work(document.make($0 * document.unit)) - start }
        for (smaller, larger) in zip(costs, costs.dropFirst()) {
            let growth = (larger - noise) / max(smaller, noise)
            #expect(growth <= mostForADoubling, "\(document.name): \(costs.map { Int($0) }) instructions")
        }
    }
}

/// A folder that is gone with its owner.
private final class Scratch {
    private let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "podcastd-\(UUID().uuidString.prefix(8))").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String, _ text: String) throws -> String {
        let file = path + "/" + name
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        return file
    }
}
