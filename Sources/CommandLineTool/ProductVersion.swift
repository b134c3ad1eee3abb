/// The version of all programs of this package; they are built and installed together.
public enum ProductVersion {
    /// Semantic version of the public interfaces: command lines, socket, files.
    public static let current = "0.1.0"
}
