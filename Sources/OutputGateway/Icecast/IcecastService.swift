internal import CommandLineTool
internal import Configuration
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import GatewayKit
internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// Stands between the daemon, whose sound the encoder reads on this program's standard input, and a mount point of an Icecast server.
/// While the daemon is paused the encoder makes silence, so that listeners stay connected.
final class IcecastService: GatewayService {
    private enum State {
        case waiting(until: Instant)
        case connecting(ShoutStream, until: Instant)
        case streaming(ShoutStream, EncodedSound)
    }

    private final class TitleSender: Sendable {
        let isBusy = Atomic(false)
    }

    private static let (connectLimit, retryPause) = (Duration.seconds(10), Duration.seconds(5))
    /// After a pause of this time the program ends, and listeners are disconnected; podcastd starts it again.
    private static let longestSilence = Duration.seconds(600)
    /// A server that has not taken this many bytes, 16 s of MP3, is disconnected.
    private static let mostUnsent = 256 << 10

    let connection: ControlConnection
    private let output: ToolOutput
    private let place: String
    /// The output's specification, as podcastd reports it.
    private let specification: String
    private let form: ShoutMount.Form
    private let user: String
    private var state = State.waiting(until: .now)
    private var model = ClientModel()
    private var mount: ShoutMount?
    private var sentTitle = ""
    private let titles = TitleSender()
    /// When the program ends, unless something plays.
    private var end = Instant.now + longestSilence
    private(set) var isFinished = false

    /// - Parameter place: `HOST[:PORT]/MOUNT`.
    init(
        _ connection: ControlConnection, _ output: ToolOutput, place: String, specification: String,
        form: ShoutMount.Form, user: String
    ) throws(ToolFailure) {
        self.connection = connection
        self.output = output
        self.place = place
        self.specification = specification
        self.form = form
        self.user = user
        connection.watch([.player, .outputs])
        try report(.waits("connecting to the server"))
    }

    var waits: [PollEntry] { if case .streaming(_, let sound) = state { [PollEntry(sound.output.raw)] } else { [] } }

    var deadline: Instant? {
        switch state {
        case .waiting(let next): min(next, end)
        // libshout does not show its socket.
        case .connecting: .now + .milliseconds(30)
        case .streaming: end
        }
    }

    func process() throws(ToolFailure) {
        for event in connection.process() { receive(event) }
        if end <= .now { isFinished = true }
        do {
            try advance()
        } catch {
            state = .waiting(until: .now + Self.retryPause)
            try report(.waits(Self.reason(error)))
        }
        sendTitle()
    }

    private func receive(_ event: ConnectionEvent) {
        model.apply(event)
        switch event {
        case .greeted: break
        // The daemon has ended, or the output was removed or disabled.
        case .lost: isFinished = true
        case .snapshot, .changed:
            isFinished = !model.outputs.contains { $0.isEnabled && $0.specification == specification }
            end = model.player.state.isPlaying ? .distantFuture : min(end, .now + Self.longestSilence)
        }
    }

    private func report(_ report: OutputReport) throws(ToolFailure) {
        output.line(report.line)
        try output.flush()
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as ShoutError where error.isRefusal:
            "the server refuses the source (\(error)); check the password in output.conf, and in the server's log whether the mount "
                + "point is in use or the server full"
        case let error as ToolFailure: [error.message, error.hint].compactMap(\.self).joined(separator: "; ")
        case _: "no connection to the server (\(error)); check host and port"
        }
    }

    private func advance() throws {
        switch state {
        case .waiting(let next):
            guard next <= .now else { return }
            let password = try IcecastSettings.file.read(explicit: nil).password(of: place)
            guard let mount = ShoutMount(place, form, user: user, password: password) else { return isFinished = true }
            let stream = try ShoutStream(mount)
            try stream.connect()
            self.mount = mount
            state = .connecting(stream, until: .now + Self.connectLimit)
        case .connecting(let stream, let limit):
            if try stream.isConnected {
                let sound = try EncodedSound(form.rawValue, from: 0)
                state = .streaming(stream, sound)
                sentTitle = ""
                try report(.plays(pace: 1))
            } else if limit <= .now {
                throw ToolFailure(.unavailable, "the server does not answer; check host and port")
            }
        case .streaming(let stream, let sound):
            guard waitForDescriptors(readable: sound.output.raw, until: .now) else { return }
            guard let bytes = try? sound.output.readSome(upTo: 64 << 10), !bytes.isEmpty else {
                return isFinished = true
            }
            try stream.send(bytes)
            if stream.unsentBytes > Self.mostUnsent {
                throw ToolFailure(.unavailable, "the server does not read the sound")
            }
        }
    }

    /// Sends another title on a thread, because the server may take any time. Opus has no titles.
    private func sendTitle() {
        guard case .streaming = state, form == .mp3, let mount, model.title != sentTitle,
            !titles.isBusy.exchange(true, ordering: .relaxed)
        else { return }
        sentTitle = model.title
        let thread = try? DedicatedThread(name: .titles) { [titles, title = model.title] in
            try? ShoutStream.sendTitle(title, to: mount)
            titles.isBusy.store(false, ordering: .relaxed)
        }
        thread?.detach()
        if thread == nil { titles.isBusy.store(false, ordering: .relaxed) }
    }
}
