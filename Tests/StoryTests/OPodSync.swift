import Foundation
import MachineSupport
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// oPodSync, a synchronization server in PHP, on a separate port, with the account anna, whose password is "sesame".
final class OPodSync {
    /// The source beside the checkout; nil if it is not there.
    static let source: String? = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = root.appending(path: "../shared/counterparts/opodsync/server").path
        return FileManager.default.fileExists(atPath: folder + "/index.php") ? folder : nil
    }()

    let url: String
    private let process: ChildProcess

    init(in scratch: Scratch) throws {
        let (php, folder) = (try RequiredTool.php.path(), try #require(Self.source))
        let port = try LoopbackListener.unusedPort()
        let data = scratch.path + "/opodsync"
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        url = "http://127.0.0.1:\(port)"
        process = try ChildProcess(
            Launch(
                php, ["-d", "variables_order=EGPCS", "-S", "127.0.0.1:\(port)", "-t", folder, folder + "/index.php"],
                environment: ["DATA_ROOT=\(data)", "PATH=/usr/bin:/bin"]))
        // The database is there after the first request.
        let deadline = Instant.now + .seconds(60)
        while !FileManager.default.fileExists(atPath: data + "/data.sqlite") {
            try #require(.now < deadline, "php did not start")
            _ = try Programs.run(
                Launch(try RequiredTool.curl.path(), ["--silent", "--retry", "30", "--retry-connrefused", url + "/"]))
        }
        let added = try Programs.run(
            Launch(
                php,
                [
                    "-r",
                    "$d = new SQLite3('\(data)/data.sqlite'); $d->busyTimeout(5000); "
                        + "$d->exec(\"INSERT INTO users (name, password) VALUES ('anna', '\" . password_hash('sesame', PASSWORD_DEFAULT) . \"')\");",
                ]))
        try #require(added.status == 0, "\(added)")
    }

    deinit { _ = process.terminate(grace: .seconds(2)) }
}
