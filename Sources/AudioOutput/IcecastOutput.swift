internal import MediaPorts
internal import PodcastModel

extension OutputKind {
    /// A mount point of an Icecast server, to which podcast-cast sends the encoded sound.
    static let icecast = OutputKind(
        name: "icecast", parameter: .required("HOST[:PORT]/MOUNT"), options: [icecastForm, icecastUser],
        isClientAddable: { isMount($0) },
        note: "the password is in cast.conf, beside podcastd.conf; see podcast-cast(1)",
        makeSink: { specification, factory in
            let mount = specification.parameter
            guard isMount(mount) else {
                throw SinkError("'\(mount)' is not a mount point; use icecast:HOST:PORT/MOUNT")
            }
            var specification = specification
            (specification.rate, specification.channels, specification.type) = (48_000, 2, .int16)
            let options = [icecastForm, icecastUser].map {
                "--\($0.name)=\(specification.options[$0.name] ?? $0.standard)"
            }
            return try factory.castSink(
                specification, ["icecast", mount] + options, .init(buffer: .milliseconds(500), speed: 1))
        })

    private static let icecastForm = OutputOption(
        name: "form", kind: .choice(["mp3", "opus"]), standard: "mp3", help: "Encoding of the sound.")
    private static let icecastUser = OutputOption(
        name: "user", kind: ValueKind(.string, maximumBytes: 64), standard: "source", help: "Name for the login.")

    private static func isMount(_ text: String) -> Bool {
        let slash = text.firstIndex(of: "/") ?? text.startIndex
        return HostAddress(String(text[..<slash]), defaultPort: 8000) != nil
    }
}
