internal import CommandLineTool
internal import Configuration

/// The passwords of Icecast servers, by mount point: only the mount point that is in the file gets the password.
struct IcecastSettings: Equatable {
    private var passwords: [String: String] = [:]

    static var file: SettingsFile<IcecastSettings> {
        SettingsFile(
            "output.conf", manual: "podcast-output(1)", isSecret: { _ in true }, IcecastSettings(),
            [
                SettingRow("icecast", nil, "NAME = HOST[:PORT]/MOUNT PASSWORD") {
                    settings, entry throws(SettingProblem) in
                    guard entry.words.count == 2 else {
                        throw entry.problem("a password is 'NAME = HOST[:PORT]/MOUNT PASSWORD'")
                    }
                    settings.passwords[entry.words[0]] = entry.words[1]
                }
            ])
    }

    /// - Parameter mount: as in the output.
    func password(of mount: String) throws(ToolFailure) -> String {
        if let password = passwords[mount] { return password }
        throw ToolFailure(
            .configuration, "no password", hint: "write 'NAME = \(mount) PASSWORD' below [icecast] in output.conf")
    }
}
