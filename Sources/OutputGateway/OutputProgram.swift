internal import CommandLineTool
internal import Configuration
internal import ControlClient
internal import ControlLanguage
internal import GatewayKit
internal import PodcastModel
internal import SystemCalls

/// podcast-output, from command line to exit status.
public enum OutputProgram {
    private static let name = ArgumentDeclaration("NAME", help: "The renderer's name, or its UDN.")
    private static let upnp = SubcommandDeclaration(
        ["upnp"], "Play on a UPnP renderer what podcastd plays.", group: "Commands",
        details: [
            "podcastd starts it for the output upnp:NAME. It writes lines to standard output: 'plays PACE', how many seconds of "
                + "podcastd's sound count as heard in a second, so that podcastd's position follows the renderer's, or 'waits REASON'. "
                + "It ends with standard input."
        ], options: [specification], arguments: [name])
    private static let specification = OptionDeclaration(
        "output", nil, "SPECIFICATION", .text, help: "The output as podcastd lists it. Without one, this program ends.")
    private static let place = ArgumentDeclaration("MOUNT", help: "HOST[:PORT]/MOUNT of the server.")
    private static let form = OptionDeclaration(
        "form", nil, "FORM", .choice(ShoutMount.Form.allCases.map(\.rawValue)), help: "mp3 or opus (default: mp3).")
    private static let user = OptionDeclaration(
        "user", nil, "NAME", .text, help: "Name for the login (default: source).")
    private static let icecast = SubcommandDeclaration(
        ["icecast"], "Send to an Icecast server what podcastd plays.", group: "Commands",
        details: [
            "podcastd starts it for the output icecast:HOST/MOUNT. It reads 16 bit samples, stereo, at 48000 Hz on standard input, and "
                + "writes lines as 'upnp' does. A pause is silence for the listeners; after ten minutes it disconnects."
        ], options: [specification, form, user], arguments: [place])
    private static let renderers = SubcommandDeclaration(
        ["renderers"], "List the UPnP renderers in the network.", group: "Commands",
        details: ["Each line has the name, a tab and the UDN."])

    private static var program: ProgramDeclaration {
        .gateway(
            "podcast-output", "Play on devices in the network what podcastd plays.",
            details: [
                "podcastd starts it for outputs in the network: podcastctl output add living upnp:'Living room'. The renderer gets the "
                    + "episode's file from podcast-output, which reads it from podcastd's cache."
            ], options: [], subcommands: SubcommandList { [upnp, icecast, renderers] }, notification: nil,
            ManualNotes(
                statuses: [.success, .usage, .unavailable, .ioError, .protocolFault, .noPermission],
                files: [IcecastSettings.file.note],
                examples: [("podcast-output renderers", "Which renderers answer.")],
                seeAlso: ["podcastctl(1)", "podcastd(8)"]))
    }

    /// - Returns: the exit status of the process.
    public static func main() -> Int32 {
        program.runGateway { launch throws(ToolFailure) in
            if launch.parsed.subcommand == renderers { return try list(launch.output) }
            let connection = ControlConnection(reconnectingTo: launch.socket, restrictedTo: .control)
            let output = launch.parsed.text(specification) ?? ""
            if launch.parsed.subcommand == icecast {
                return try IcecastService(
                    connection, launch.output, place: launch.parsed.text(place) ?? "", specification: output,
                    form: launch.parsed.text(form).flatMap(ShoutMount.Form.init) ?? .mp3,
                    user: launch.parsed.text(user) ?? "source"
                ).run()
            }
            let name = launch.parsed.text(name) ?? ""
            try RemotePlayerService(connection, launch.output, name: name, specification: output).run()
        }
    }

    private static func list(_ output: ToolOutput) throws(ToolFailure) {
        let requests = try ToolFailure.wrapping(.software) { try DeviceRequests() }
        let search = UPnPSearch(requests)
        while search.end > .now {
            var entries = search.waits
            try ToolFailure.wrapping(.software) { try waitForAny(&entries, until: requests.deadline ?? search.end) }
            search.process()
            requests.process()
        }
        if search.found.isEmpty {
            let errors = ToolOutput(descriptor: 2)
            errors.line("podcast-output: no renderer answered; start one in this network")
            try errors.flush()
        }
        for device in search.found { output.line("\(device.name)\t\(SafeText.line(device.udn))") }
    }
}
