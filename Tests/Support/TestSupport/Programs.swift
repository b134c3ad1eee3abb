import Foundation
package import SystemCalls
import Testing

/// The programs as they were built beside the tests.
package enum Programs {
    /// The folder of the test bundle, where the package manager puts the programs too.
    package static let folder: String = {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? "/proc/self/exe"
        let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: bundle)) ?? bundle
        return URL(filePath: path).deletingLastPathComponent().path
    }()

    package static func path(_ name: String) -> String { folder + "/" + name }

    /// For a machine that is ten times as slow as one that does nothing else: there, the longest run takes about ten seconds.
    package static let limit = Duration.seconds(180)

    /// Runs a program to its end.
    package static func run(
        _ name: String, _ arguments: [String], environment: [String] = [], timeout: Duration = limit
    ) throws -> Outcome<Int32?> {
        try run(
            Launch(path(name), arguments, environment: ["PATH=/usr/bin:/bin", "HOME=/nonexistent"] + environment),
            timeout: timeout)
    }

    /// Runs any program to its end.
    package static func run(
        _ launch: Launch, timeout: Duration = limit
    ) throws -> Outcome<Int32?> {
        let collected = try CollectedOutput.of(launch, limit: 16 << 20, timeout: timeout)
        var status: Int32?
        if case .exited(let code) = collected.status { status = code }
        return Outcome(
            status: status, output: String(decoding: collected.output, as: UTF8.self),
            errors: String(decoding: collected.errors, as: UTF8.self))
    }
}

/// A folder that is gone with its owner.
package final class Scratch: Sendable {
    package let path: String

    package init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "podcastd-\(UUID().uuidString.prefix(8))").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func file(_ name: String, _ text: String) throws -> String {
        let file = path + "/" + name
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        return file
    }
}

/// A file of `Tests/Support/Fixtures`.
package func fixture(_ name: String) throws -> [UInt8] {
    let support = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let url = support.appending(path: "Fixtures/\(name)")
    return [UInt8](try Data(contentsOf: url))
}

/// Thirteen minutes of speech as MP3, for tests during which the sound must not end.
package func minutesOfSpeech() throws -> [UInt8] {
    Array(repeatElement(try fixture("forty-seconds.mp3"), count: 20).joined())
}

/// The hash of a password as a gateway prints it for its settings file.
package func passwordHash(
    _ password: String = "open sesame", by program: String = "podcast-web", in scratch: Scratch
) throws -> String {
    let input = try scratch.file("password", password + "\n")
    let outcome = try Programs.run(
        Launch(
            "/bin/sh", ["-c", "\"$1\" --hash-password <\"$2\"", "sh", Programs.path(program), input],
            environment: ["PATH=/usr/bin:/bin"]))
    try #require(outcome.status == 0, "\(outcome.errors)")
    return outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
}
