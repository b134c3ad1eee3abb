/// Subscriptions.
public enum FeedsCommand: String, SectionCommands {
    /// Lists feeds.
    case list
    /// Tells everything of one.
    case show
    /// Adds feeds.
    case subscribe
    /// Removes feeds.
    case unsubscribe
    /// Fetches feeds.
    case refresh
    /// Sets a feed's own setting.
    case set
    /// Looks podcasts up by name.
    case find
    /// Hands over a piece of a document that is larger than a line.
    case upload
    /// Takes over what a document holds.
    case `import`
    /// Lists subscriptions as a document.
    case export
    /// Tells the daemon what another process wrote.
    case changed
    /// Tells the daemon how a refresh ended.
    case refreshed

    /// The section.
    public static let section = CommandDeclaration.Section.feeds
}
