import CommandLineTool
import Foundation
import HTTP
import JSON
import Library
import LoopbackServer
import PodcastModel
@testable import RefreshTool
import SystemCalls
import TestSupport

typealias Ending = Outcome<CommandLineTool.ExitStatus>

private final class NetworkRecorder {
    var settings: [HTTPSettings] = []
}

/// libcurl with the time limits of a test.
private final class ImpatientTransport: FeedTransport {
    private let multi: HTTPMulti
    private let timeouts: HTTPRequest.Timeouts

    init(_ multi: HTTPMulti, _ timeouts: HTTPRequest.Timeouts) { (self.multi, self.timeouts) = (multi, timeouts) }

    func add(_ request: HTTPRequest, delegate: any HTTPTransferDelegate) -> HTTPTransfer {
        var request = request
        request.timeouts = timeouts
        return multi.add(request, delegate: delegate)
    }

    func poll(timeout: Duration?) throws(HTTPError) { try multi.poll(timeout: timeout) }
}

/// `podcast-refresh` in process, with a separate data folder and a server on loopback.
final class RefreshRig {
    let folder: URL
    let server: LoopbackServer
    var variables: [String: String] = [:]
    var timeouts = HTTPRequest.Timeouts(
        connect: .seconds(120), firstByte: .seconds(120), stall: .seconds(120), total: .seconds(180))
    var limits = FetchLimits()
    /// What each network was made with.
    var networks: [HTTPSettings] { recorder.settings }
    private let recorder = NetworkRecorder()
    private var endpoints: [LoopbackServer.Endpoint] = []
    var terminal = Terminal(isInteractive: false, width: nil, usesStyle: false)

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "refresh-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        server = try LoopbackServer()
        try FileManager.default.createDirectory(
            atPath: data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var data: String { folder.appending(path: "data").path }

    func store() throws -> LibraryStore { try LibraryStore(path: data + "/library.db") }

    /// Runs a command line on the rig's data folder.
    func run(_ arguments: String...) throws -> Ending { try run(["--data-dir", data] + arguments) }

    /// Runs a command line as it stands.
    func run(_ arguments: [String]) throws -> Ending {
        let (outputPath, errorPath) = (file("out"), file("err"))
        let output = open(outputPath, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        let errors = open(errorPath, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer {
            close(output)
            close(errors)
        }
        let (timeouts, recorder) = (timeouts, recorder)
        var environment = RefreshEnvironment(
            variable: { [variables] in variables[$0] }, isRoot: false, clock: SystemClock(),
            errors: ToolOutput(descriptor: errors), errorTerminal: terminal,
            makeTransport: { settings throws(ToolFailure) in
                do throws(HTTPError) {
                    recorder.settings.append(settings)
                    var settings = settings
                    settings.proxy = settings.proxy ?? ""
                    return ImpatientTransport(try HTTPMulti(settings: settings), timeouts)
                } catch {
                    throw ToolFailure(.software, error.message)
                }
            }, pause: { _ in }, lockPatience: .zero)
        environment.limits = limits
        let toolOutput = ToolOutput(descriptor: output)
        var status: ExitStatus
        var failure = ""
        do {
            let parsed = try RefreshDeclaration.program.parse(arguments)
            status = try RefreshCommands(environment).run(parsed, output: toolOutput)
        } catch let error as ToolFailure {
            status = error.status
            failure = [error.message, error.hint].compactMap(\.self).joined(separator: "\n")
        } catch let error as UsageError {
            status = .usage
            failure = error.message
        }
        try toolOutput.flush()
        try environment.errors.flush()
        return Ending(status: status, output: text(output), errors: text(errors) + failure)
    }

    /// Serves a fixture as a healthy host does.
    @discardableResult
    func publish(
        _ fixture: String, at path: String = "/feed.xml", etag: String? = "\"1\"", faults: [Fault] = []
    ) throws -> LoopbackServer.Endpoint {
        let resource = Resource(
            try Self.fixture(fixture), contentType: "application/rss+xml", etag: etag, lastModified: nil)
        return serve(path, .resource(resource, faults: faults))
    }

    /// Serves a path for as long as the rig exists.
    @discardableResult
    func serve(_ path: String, _ answer: Answer) -> LoopbackServer.Endpoint { serve(path) { _ in answer } }

    @discardableResult
    func serve(_ path: String, _ handler: @escaping LoopbackServer.Handler) -> LoopbackServer.Endpoint {
        endpoints.append(server.serve(path, handler))
        return endpoints[endpoints.count - 1]
    }

    /// Titles of all episodes, newest first.
    func titles() throws -> [String] {
        try store().episodes.page(EpisodeFilter(), order: .newestFirst, at: .first, limit: 100).episodes.map(\.title)
    }

    func file(_ name: String) -> String { folder.appending(path: name).path }

    static func path(of fixture: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/\(fixture)").path
    }

    static func fixture(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path(of: name))))
    }

    /// All that a descriptor's file holds.
    private func text(_ descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = pread(descriptor, &piece, piece.count, off_t(bytes.count))
            if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += piece[..<count]
        }
    }
}
