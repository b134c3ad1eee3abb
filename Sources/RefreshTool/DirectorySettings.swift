internal import Configuration
internal import FeedDocuments
internal import SystemCalls

/// Which directories may be asked, where they are, and with what key.
struct DirectorySettings {
    private let settings: Settings
    /// The key of the Podcast Index; nil when there is none.
    let key: PodcastIndexKey?
    /// The file of the key that is to be read and cannot be used.
    let badKeyFile: String?

    /// What the settings say. The key is in a separate file, which systemd may pass as the credential
    /// `podcast-index`, because every client can read the settings.
    init(_ settings: Settings, variable: (String) -> String?) {
        self.settings = settings
        let credential = variable("CREDENTIALS_DIRECTORY").map { $0 + "/podcast-index" }
        let file =
            settings.text("directories.podcast_index_key_file")
            ?? credential.flatMap { FileAccess().isAllowed($0) ? $0 : nil }
        let text = file.flatMap { try? ImportInput($0).text(upTo: 4096) }
        key = text.flatMap(PodcastIndexKey.init(file:))
        badKeyFile = key == nil ? file : nil
    }

    /// Whether a directory may be asked, key or not.
    func isOn(_ directory: Directory) -> Bool { settings["directories.\(directory.rawValue)"] == "on" }

    /// Those that are on and can be asked.
    var usable: [Directory] { Directory.allCases.filter { isOn($0) && ($0 != .podcastIndex || key != nil) } }

    /// Where a directory is, without a slash at the end.
    func address(of directory: Directory) -> String {
        let text = settings["directories.\(directory.rawValue)_url"]
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}
