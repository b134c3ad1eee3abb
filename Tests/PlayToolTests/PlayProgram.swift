import Foundation
import JSON
import SystemCalls
import TestSupport
import Testing

/// `podcast-play` as it was built beside the tests.
enum PlayProgram {
    struct Outcome {
        var status: Int32?
        var output: [UInt8]
        var errors: String

        var text: String { String(decoding: output, as: UTF8.self) }
        /// The JSON objects of its output, a line each.
        var objects: [JSONValue] {
            get throws { try text.split(separator: "\n").map { try JSONValue(parsing: String($0)) } }
        }
    }

    static func launch(_ arguments: [String], temporary: String? = nil) -> Launch {
        Launch(
            Programs.path("podcast-play"), arguments,
            environment: ["PATH=/usr/bin:/bin"] + (temporary.map { ["TMPDIR=\($0)"] } ?? []))
    }

    /// Runs it to its end.
    static func run(_ arguments: String..., temporary: String? = nil) throws -> Outcome {
        try run(arguments, temporary: temporary)
    }

    static func run(_ arguments: [String], temporary: String? = nil) throws -> Outcome {
        let collected = try CollectedOutput.of(
            launch(arguments, temporary: temporary), limit: 16 << 20, timeout: Programs.limit)
        var status: Int32?
        if case .exited(let code) = collected.status { status = code }
        return Outcome(
            status: status, output: collected.output, errors: String(decoding: collected.errors, as: UTF8.self))
    }
}

extension Scratch {
    var contents: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path) } }
    func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path + "/" + name))) }
}

/// The path of a fixture.
func fixturePath(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/\(name)").path
}

func fixtureBytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: fixturePath(name)))) }
