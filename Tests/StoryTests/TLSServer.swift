import Foundation
import SystemCalls
import TestSupport
import Testing

/// Files over TLS, with a certificate of an authority that no system knows; gone with its owner.
final class TLSServer {
    /// The authority's certificate.
    let authority: String
    let port: Int
    private let scratch: Scratch
    private let process: ChildProcess
    /// Kept open: the server writes a line for each connection.
    private let output: FileDescriptor

    /// Serves files by their names at the root, with openssl-s_server(1).
    init(_ files: [String: [UInt8]]) throws {
        try RequiredTool.openssl.path()
        scratch = try Scratch()
        let folder = scratch.path
        authority = folder + "/authority.pem"
        for (name, bytes) in files { try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)")) }
        let request = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -batch"
        try Self.shell(
            """
            set -e; cd '\(folder)'
            \(request) -keyout authority.key -out authority.pem -subj '/CN=Test authority'
            \(request) -keyout server.key -out server.pem -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 \
                -addext basicConstraints=critical,CA:FALSE -CA authority.pem -CAkey authority.key
            """)
        let pipe = try SystemCalls.Pipe()
        let command = "openssl s_server -WWW -accept 127.0.0.1:0 -cert server.pem -key server.key"
        var launch = Launch.shell("cd '\(folder)' && exec \(command)")
        launch.environment = ["PATH=/usr/sbin:/usr/bin:/bin"]
        launch.descriptors = [DescriptorMapping(pipe.writing.raw, to: STDOUT_FILENO)]
        process = try ChildProcess(launch)
        output = pipe.closingWriting()
        port = try #require(try Self.port(after: "ACCEPT ", from: output.raw), "openssl did not start")
    }

    deinit { _ = process.terminate(grace: .seconds(1)) }

    func url(_ name: String) -> String { "https://127.0.0.1:\(port)/\(name)" }

    private static func shell(_ script: String) throws {
        var launch = Launch.shell(script)
        launch.environment = ["PATH=/usr/bin:/bin"]
        let result = try CollectedOutput.of(launch, limit: 1 << 16, timeout: Programs.limit)
        let words = String(decoding: result.errors, as: UTF8.self)
        try #require(result.status == .exited(0), "openssl made no certificates: \(words)")
    }

    /// The port at the end of the line that begins with the words given, such as `ACCEPT 127.0.0.1:43217`.
    private static func port(after words: String, from descriptor: Int32) throws -> Int? {
        var text = ""
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &piece, piece.count)
            if count <= 0 { return nil }
            text += String(decoding: piece[..<count], as: UTF8.self)
            for line in text.split(separator: "\n").dropLast(text.hasSuffix("\n") ? 0 : 1)
            where line.hasPrefix(words) {
                return line.split(separator: ":").last.flatMap { Int($0) }
            }
        }
    }
}
