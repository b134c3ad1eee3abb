/// The version of all programs of this package; they are built and installed together.
public enum ProductVersion {
    /// Semantic version of the public interfaces: command lines, socket, files.
    public static let current = "0.1.0"

    /// What hosts are told who asks: RFC 9110 section 10.1.5.
    ///
    /// - Parameter contact: where they find who runs it, as the setting `network.contact` has it; nil for nothing.
    public static func userAgent(contact: String?) -> String {
        "podcastd/\(current)" + (contact.map { " (+\($0))" } ?? "")
    }
}
