/// The commented config file, made from the declarations.
public enum SettingsManual {
    /// The text of `etc/podcastd.conf`: every setting with its default, commented out.
    public static var configFile: String {
        var lines = [
            "# podcastd.conf: settings of podcastd. Made from the program's own declarations; see podcastd.conf(5).",
            "# Every line below shows a default. Take the # away to change one; then: podcastctl settings",
        ]
        for section in SettingTable.sections {
            lines += ["", "# \(section.help)", "[\(section.name)]"]
            for declaration in SettingTable.all where declaration.section == section.name {
                lines.append("")
                lines += declaration.help.map { "# \($0)" }
                if let range = rangeLine(declaration.kind) { lines.append("# \(range)") }
                lines.append("#\(declaration.name) = \(declaration.defaultValue)")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func rangeLine(_ kind: SettingDeclaration.Kind) -> String? {
        switch kind {
        case .text, .path: nil
        case .choice(let words): "One of: \(words.joined(separator: ", "))."
        case .flag: "yes or no."
        case .integer(let range): "\(range.lowerBound) to \(range.upperBound)."
        case .duration(let range):
            "Seconds, or with s, m, h or d behind; \(range.lowerBound) to \(range.upperBound) seconds."
        case .size: "Bytes, or with K, M, G or T behind."
        }
    }
}
