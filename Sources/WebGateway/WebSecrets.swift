internal import CommandLineTool
internal import ControlClient
internal import GatewayKit
internal import PodcastModel
internal import Secrets
internal import SystemCalls

/// The commands with which podcast-web prints a link, a token, a key for another podcastd or a device's login, and serves nothing.
enum WebSecrets {
    static func printLink(_ launch: GatewayLaunch) throws(ToolFailure) {
        let path = LoginLink.path(beside: launch.socket)
        let link = try ToolFailure.wrapping(
            .unavailable,
            hint:
                "start podcast-web as the user of this command, with a port; a socket unit starts it when the page is opened"
        ) { try StoredFile.contents(of: path, limit: 1_000) }
        launch.output.line(String(utf8: link))
    }

    static func makeToken(_ name: String, _ output: ToolOutput) throws(ToolFailure) {
        try checkName(name, of: "token")
        let secret = Secret.make()
        guard let hash = PasswordHash.make(from: secret) else {
            throw ToolFailure(.software, "libxcrypt makes no hash")
        }
        output.line("# Send it as: Authorization: Bearer \(name).\(secret)")
        output.line("# In web.conf below [tokens]; change permission and expiry (a day, or never) as needed:")
        output.line("\(name) = read never \(hash.text)")
    }

    static func makeKey(
        _ name: String, _ settings: WebSettings, _ output: ToolOutput
    ) throws(ToolFailure) {
        try checkName(name, of: "podcastd")
        let server = try requireAddress(settings)
        let key = Secret.make(Secret.typed)
        output.line("# In web.conf of this machine below [peers]; then restart podcast-web:")
        output.line("\(name) = \(key)")
        output.line("# In sync.conf of \(name) below [accounts]; then restart podcast-sync:")
        output.line("\(CurrentProcess.hostName) = podcastd \(server) \(name) \(key)")
    }

    static func addDevice(
        _ given: String, _ settings: WebSettings, _ launch: GatewayLaunch
    ) throws(ToolFailure) {
        guard let caption = SafeText.title(given, atMostBytes: 200) else {
            throw .usage("a device needs a name")
        }
        guard let owner = settings.listener else {
            throw ToolFailure(
                .configuration, "no user of web.conf synchronizes",
                hint: "write 'NAME = admin HASH' below [users]; podcast-web --hash-password makes the hash")
        }
        let server = try requireAddress(settings)
        guard let password = AppPassword(of: caption, owner: owner) else {
            throw ToolFailure(.software, "libxcrypt makes no hash")
        }
        do throws(ClientFailure) {
            _ = try ControlConnection(path: launch.socket).call(password.device)
        } catch { throw ToolFailure(.unavailable, error.text) }
        launch.output.line("server    \(server)")
        launch.output.line("user      \(owner)")
        launch.output.line("password  \(password.text)")
        guard launch.output.terminalWidth != nil, let code = password.code(server: server) else { return }
        // Black on white, whatever the colors of the terminal.
        for line in code.lines { launch.output.line("\u{1B}[30;107m\(line)\u{1B}[0m") }
    }

    private static func requireAddress(_ settings: WebSettings) throws(ToolFailure) -> String {
        if let server = address(settings) { return server }
        throw ToolFailure(
            .configuration, "other machines cannot reach podcast-web, which listens on this one only",
            hint:
                "write 'listen = 0.0.0.0:\(WebProgram.port)' below [server] in web.conf, or the name of a proxy as hosts"
        )
    }

    /// Where other machines reach podcast-web; nil if they cannot.
    private static func address(_ settings: WebSettings) -> String? {
        for case .internet(let host, let port) in settings.listen
        where !["localhost", "127.0.0.1", "::1"].contains(host) {
            if host != "0.0.0.0", host != "::" {
                return host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)"
            }
            let own = (try? NetworkInterfaces.addresses()) ?? []
            if let address = own.first(where: { $0.count == 4 && $0[0] != 127 }) {
                return "http://\(address.map(String.init).joinedText(".")):\(port)"
            }
        }
        return settings.hosts.first.map { "https://\($0)" }
    }

    private static func checkName(_ name: String, of what: String) throws(ToolFailure) {
        if name.isEmpty || !name.utf8.allSatisfy({ $0.isSmallLetter || $0.isDigit || $0 == .dash }) {
            throw .usage("a \(what)'s name has small letters, digits and '-' only")
        }
    }
}
