/// A podcast found in directories.
public struct FoundShow: Equatable, Sendable {
    public var url = ""
    public var title = ""
    public var author: String?
    /// The show's web page, or its page in the directory.
    public var link: String?
    /// Titles of the directories that list the show, in the order of their replies.
    public var directories: [String] = []

    public init() {}
}
