internal import PodcastModel
internal import Secrets
internal import Digest

/// The secret that two paired podcastds share. It signs their messages after RFC 9421 (HTTP Message Signatures) with hmac-sha256, and
/// is never sent.
public struct PeerKey: Equatable, Sendable {
    /// The two headers of a signed message.
    public struct Signature: Equatable, Sendable {
        public let input: String
        public let value: String

        public init(input: String, value: String) {
            self.input = input
            self.value = value
        }
    }

    private static let label = "podcastd="

    public let name: String
    private let secret: String

    public init(name: String, secret: String) {
        self.name = name
        self.secret = secret
    }

    /// The value of `Content-Digest` (RFC 9530); nil if OpenSSL is not installed.
    public static func digest(of body: [UInt8]) -> String? {
        HashFunction.sha256.digest(of: body).map { "sha-256=:\(Base64.text(of: $0)):" }
    }

    /// The signature of a request; nil if OpenSSL is not installed.
    public func signature(
        of method: String, _ path: String, digest: String, _ parameters: PeerRequestParameters
    ) -> Signature? {
        sign(
            [("\"@method\"", method), ("\"@path\"", path), ("\"content-digest\"", digest)],
            ";created=\(parameters.created);nonce=\"\(parameters.nonce)\"")
    }

    /// The signature of an answer; nil if OpenSSL is not installed.
    /// - Parameters:
    ///   - digest: nil for a stream, whose body is not signed.
    ///   - created: seconds since 1970.
    public func signature(
        ofAnswer status: Int, digest: String?, at created: Int64, to request: Signature
    ) -> Signature? {
        let body = digest.map { [("\"content-digest\"", $0)] } ?? []
        let value = String(request.value.dropFirst(Self.label.count))
        return sign(
            [("\"@status\"", "\(status)")] + body + [("\"signature\";req;key=\"podcastd\"", value)],
            ";created=\(created)")
    }

    /// When the podcastd with the same key signed an answer, by its clock, in seconds since 1970; nil if it did not.
    public func time(ofAnswer status: Int, digest: String?, to request: Signature, _ given: Signature) -> Int64? {
        let field = given.input.prefix(400).fields(separatedBy: ";").first { $0.hasPrefix("created=") }
        guard let created = field.flatMap({ Int64($0.dropFirst("created=".count)) }), created >= 0,
            signature(ofAnswer: status, digest: digest, at: created, to: request) == given
        else { return nil }
        return created
    }

    private func sign(_ components: [(name: String, value: String)], _ parameters: String) -> Signature? {
        let input =
            "(\(components.map(\.name).joinedText(" ")))\(parameters);keyid=\"\(name)\";alg=\"hmac-sha256\""
        let lines = components.map { "\($0.name): \($0.value)\n" } + ["\"@signature-params\": \(input)"]
        return HashFunction.sha256.authenticationCode(of: Array(lines.joinedText("").utf8), key: Array(secret.utf8))
            .map { Signature(input: Self.label + input, value: "\(Self.label):\(Base64.text(of: $0)):") }
    }
}

extension PeerKey.Signature {
    public static func == (first: Self, second: Self) -> Bool {
        first.input == second.input && ConstantTime.areEqual(first.value, second.value)
    }
}

/// Key, time and number of a signed request, by which the server recognizes a repeated one.
public struct PeerRequestParameters {
    /// Name of the key.
    public let key: String
    /// Seconds since 1970.
    public let created: Int64
    public let nonce: String

    public init(key: String, created: Int64) {
        self.key = key
        self.created = created
        nonce = Secret.make()
    }

    /// Reads the header `Signature-Input` of a request.
    /// - Returns: nil if it is not as `PeerKey` writes it.
    public init?(header: String) {
        guard header.utf8.count <= 400 else { return nil }
        let values = header.fields(separatedBy: ";").map { $0.drop { $0 != "=" }.dropFirst() }
        guard values.count == 5, let created = Int64(values[1]) else { return nil }
        func quoted(_ value: Substring) -> String { String(value.dropFirst().dropLast()) }
        key = quoted(values[3])
        self.created = created
        nonce = quoted(values[2])
    }
}
