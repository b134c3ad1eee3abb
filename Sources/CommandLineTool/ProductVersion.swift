/// The version of all programs in this package; they are built and installed together.
public enum ProductVersion {
    /// Semantic version of the public interfaces: command lines, socket, files.
    public static let current = "0.1.0"

    /// The value of the `User-Agent` field (RFC 9110, section 10.1.5).
    /// - Parameter contact: web page or mail address for server operators (`network.contact`); nil omits it.
    public static func userAgent(contact: String?) -> String {
        "podcastd/\(current)" + (contact.map { " (+\($0))" } ?? "")
    }
}
