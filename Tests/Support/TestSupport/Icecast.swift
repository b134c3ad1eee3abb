import Foundation
import MachineSupport
import PodcastModel
import SystemCalls
import Testing

/// The distribution's Icecast server on a separate port.
package final class Icecast {
    package static let password = "hackme"

    package let port: UInt16
    private let config: String
    private var process: ChildProcess

    /// Starts a server and waits until it answers.
    package init(in scratch: Scratch) throws {
        port = try LoopbackListener.unusedPort()
        // Icecast refuses to run as root.
        let owner =
            geteuid() == 0
            ? "<security><changeowner><user>nobody</user><group>nogroup</group></changeowner></security>" : ""
        config = try scratch.file(
            "icecast.xml",
            """
            <icecast><limits><burst-size>0</burst-size></limits><authentication><source-password>\(Self.password)</source-password><admin-user>admin</admin-user>
            <admin-password>admin</admin-password></authentication>
            <listen-socket><port>\(port)</port><bind-address>127.0.0.1</bind-address></listen-socket>
            <paths><basedir>/</basedir><logdir>/tmp</logdir><webroot>/usr/share/icecast2/web</webroot>
            <adminroot>/usr/share/icecast2/admin</adminroot></paths>
            <logging><errorlog>-</errorlog><accesslog>-</accesslog></logging>\(owner)</icecast>
            """)
        process = try Self.start(config, port)
    }

    deinit { _ = process.terminate(grace: .seconds(2)) }

    package func kill() {
        process.signal(SIGKILL)
        _ = process.wait()
    }

    package func startAgain() throws { process = try Self.start(config, port) }

    /// The HTTP status that a listener of a mount point gets: 404 without a source.
    package func answer(_ mount: String) throws -> String {
        try Self.curl(port, "--max-time", "1", "--output", "/dev/null", "--write-out", "%{http_code}", "/\(mount)")
    }

    /// The mount points with their titles: JSON.
    package func status() throws -> String { try Self.curl(port, "/status-json.xsl") }

    private static func curl(_ port: UInt16, _ arguments: String...) throws -> String {
        let url = "http://127.0.0.1:\(port)\(arguments[arguments.count - 1])"
        return try Programs.run(
            Launch(try RequiredTool.curl.path(), ["--silent"] + arguments.dropLast() + [url])
        ).output
    }

    /// Icecast 2.4.4 crashes if a client connects before its thread of statistics has begun; then it is started again.
    private static func start(_ config: String, _ port: UInt16) throws -> ChildProcess {
        let deadline = Instant.now + .seconds(60)
        while true {
            let process = try ChildProcess(Launch(try RequiredTool.icecast2.path(), ["-c", config]))
            var entries = [PollEntry(process.descriptor)]
            while try !waitForAny(&entries, until: .now + .milliseconds(20)) {
                if try curl(port, "/status-json.xsl").contains("server_start") { return process }
                try #require(.now < deadline, "icecast2 did not start")
            }
            try #require(.now < deadline, "icecast2 did not start: \(process.wait())")
        }
    }
}

/// The loudest sample, of 32,768, in the last second of three that ffmpeg decodes from a stream.
package func loudest(_ address: String) throws -> Int {
    let heard = try CollectedOutput.of(
        Launch(
            try RequiredTool.ffmpeg.path(),
            ["-v", "error", "-i", address, "-t", "3", "-f", "s16le", "-ac", "1", "-ar", "8000", "-"],
            environment: ["PATH=/usr/bin:/bin"]), limit: 1 << 20, timeout: .seconds(120))
    // A decoder leaves out the first frames of a stream that it joins.
    #expect(heard.output.count > 40_000, "\(address)")
    return heard.output.withUnsafeBytes { bytes in
        bytes.bindMemory(to: Int16.self).suffix(8_000).map { abs(Int($0)) }.max() ?? 0
    }
}
