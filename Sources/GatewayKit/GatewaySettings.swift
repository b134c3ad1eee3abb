internal import PodcastModel
public import Configuration
public import ControlLanguage

extension SettingRow {
    /// What some clients may do without a password.
    public static func permission(
        _ section: String, _ name: String, _ form: String,
        _ path: WritableKeyPath<Settings, CommandDeclaration.Permission?>, help: String
    ) -> SettingRow {
        SettingRow(section, name, form, help: help) { settings, entry throws(SettingProblem) in
            settings[keyPath: path] = try entry.permission(entry.value)
        }
    }

    public static func listen(_ path: WritableKeyPath<Settings, [ListenAddress]>) -> SettingRow {
        SettingRow("server", "listen", "ADDRESS…") { settings, entry throws(SettingProblem) in
            for word in entry.words {
                guard let address = ListenAddress(parsing: word) else {
                    throw entry.problem("'\(SafeText.line(word))' is not \(ListenAddress.syntax)")
                }
                settings[keyPath: path].append(address)
            }
        }
    }
}

extension INIEntry {
    /// The permission and the hash of a login: the first and the last word of the login's line.
    ///
    /// - Parameter form: how the line must be written, for a message.
    public func login<Hash>(
        words count: Int, _ hash: (String) -> Hash?, form: String
    ) throws(SettingProblem) -> (permission: CommandDeclaration.Permission, hash: Hash) {
        guard words.count == count, let hash = hash(words[count - 1]), let permission = try permission(words[0]) else {
            throw problem(form)
        }
        return (permission, hash)
    }

    /// A word of the line as a permission; nil for `none`.
    func permission(_ word: String) throws(SettingProblem) -> CommandDeclaration.Permission? {
        if word == "none" { return nil }
        guard let permission = CommandDeclaration.Permission(rawValue: word) else {
            throw problem("'\(SafeText.line(word))' is not a permission: none, read, control or admin")
        }
        return permission
    }
}
