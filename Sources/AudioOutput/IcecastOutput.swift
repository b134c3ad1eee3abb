internal import MediaPorts
internal import PodcastModel

extension OutputKind {
    /// A mount point of an Icecast server, to which podcast-output sends the encoded sound.
    static let icecast = OutputKind(
        name: "icecast", parameter: .required("HOST[:PORT]/MOUNT"), options: [icecastForm, icecastUser],
        canonical: mount, programs: ["podcast-output", "podcast-decode-av"], isClientAddable: { _ in true },
        note: "the password is in output.conf, beside podcastd.conf; see podcast-output(1)",
        makeSink: { specification, factory in
            let options = [icecastForm, icecastUser].map {
                "--\($0.name)=\(specification.options[$0.name] ?? $0.standard)"
            }
            let program = try factory.program(specification, ["icecast"] + options, .shallow)
            return try factory.sink(specification.encodable, program, .shallow)
        })

    private static let icecastForm = OutputOption(
        name: "form", kind: .choice(["mp3", "opus"]), standard: "mp3", help: "Encoding of the sound.")
    private static let icecastUser = OutputOption(
        name: "user", kind: ValueKind(.string, maximumBytes: 64), standard: "source", help: "Name for the login.")

    /// - Parameter text: `HOST[:PORT]/MOUNT`, also as a URL, without a password.
    @Sendable private static func mount(_ text: String) -> String? {
        let scheme = ["http://", "icecast://"].first { text.hasPrefix($0) } ?? ""
        let place = text.dropFirst(scheme.count)
        let host = place.prefix { $0 != "/" }
        guard host.count < place.count, !host.contains("@") else { return nil }
        return HostAddress(String(host), defaultPort: 8000) == nil ? nil : String(place)
    }
}
