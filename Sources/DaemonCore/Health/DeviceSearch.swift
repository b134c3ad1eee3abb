internal import AudioOutput
internal import ControlLanguage
internal import ControlProtocol
internal import MediaPorts
internal import PodcastModel
internal import Reporting
internal import SystemCalls

/// Looks for devices that outputs could use: each kind on its own thread, for a limited time.
struct DeviceSearch: Sendable {
    /// A device, or why a kind could not be looked for.
    typealias Row = Result<FoundDevice, SinkError>

    private static let deadline = Duration.seconds(4)
    private static let mostDevices = 64

    private let activities: ActivityBoard
    private let runner: CheckRunner<Row>

    init(_ searches: [OutputSearch], activities: ActivityBoard) {
        self.activities = activities
        let checks: [CheckRunner<Row>.Check] = searches.map { search in { Self.rows(of: search) } }
        runner = CheckRunner(checks, deadline: Self.deadline) { index, error in
            let reason = error.map { "\($0)" } ?? "no answer within \(Self.deadline.components.seconds) s"
            return [.failure(SinkError("\(searches[index].kind): \(reason)"))]
        }
    }

    private static func rows(of search: OutputSearch) -> [Row] {
        do throws(SinkError) { return try search.find().prefix(mostDevices).map(Row.success) } catch {
            return [.failure(SinkError("\(search.kind): \(error.message)"))]
        }
    }

    /// Makes a search or joins the current one.
    func run() async -> [Row] {
        let activity = activities.begin(.searching, "Looking for outputs")
        defer { activity.end() }
        return await runner.run()
    }
}

extension CheckRunner {
    func run() async -> [Row] {
        await withCheckedContinuation { continuation in run { continuation.resume(returning: $0) } }
    }
}

extension FoundOutputsReply {
    /// - Parameter outputs: the present ones, some of which may use a found device.
    init(_ rows: [DeviceSearch.Row], beside outputs: [OutputSetup]) {
        self.init()
        var names = Set(outputs.map(\.name))
        for row in rows {
            switch row {
            case .failure(let error): failures.append(SafeText.line(error.message, atMost: 300))
            case .success(let device):
                let text = device.specification.description
                // A name from the network may look like options.
                guard SafeText.isOneLine(text), (try? OutputSpecification(parsing: text)) == device.specification
                else { continue }
                let title = SafeText.line(device.title, atMost: 100)
                let name = Self.name(title, notIn: names)
                names.insert(name)
                found.append(
                    FoundOutput {
                        $0.title = title
                        $0.name = name
                        $0.specification = text
                        $0.output = outputs.first { $0.usesDevice(of: device.specification) }?.name
                    })
            }
        }
    }

    /// A name of lowercase letters, digits and hyphens, short enough for `outputs.add` also with a number.
    private static func name(_ title: String, notIn names: Set<String>) -> String {
        let words = title.lowercased().split { !$0.isLetter && !$0.isNumber }.prefix(3)
        var base = words.isEmpty ? "output" : String(words.joined(separator: "-").prefix(24))
        while base.utf8.count > 56 { base.removeLast() }
        if base.isEmpty { base = "output" }
        return ([base] + (2...names.count + 2).map { "\(base)-\($0)" }).first { !names.contains($0) } ?? base
    }
}
