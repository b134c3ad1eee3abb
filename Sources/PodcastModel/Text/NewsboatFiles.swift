/// Paths of the files that belong to a newsboat database `cache.db`.
public enum NewsboatFiles {
    /// Paths of the list of URLs with names and tags: beside the database (absolute path), or else in the XDG
    /// directory.
    public static func lists(of database: String, settings: String?) -> [String] {
        let folder = folder(of: database)
        let data = "/.local/share/newsboat/"
        let ending = "newsboat/urls"
        let home = folder.hasSuffix(data) ? ["\(folder.dropLast(data.count))/.config/\(ending)"] : []
        return ["\(folder)urls"] + (settings.map { ["\($0)/\(ending)"] } ?? []) + home
    }

    public static func queue(of database: String) -> String { folder(of: database) + "queue" }

    private static func folder(of path: String) -> String {
        String(path[...(path.lastIndex(of: "/") ?? path.startIndex)])
    }
}
