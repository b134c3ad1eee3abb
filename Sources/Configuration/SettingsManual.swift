/// The commented config file and its manual, made from the declarations.
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

    /// The text of podcastd.conf(5), as man(7) source.
    public static var manualPage: String {
        var lines = [
            ".TH PODCASTD.CONF 5 \"\" podcastd podcastd", ".SH NAME", "podcastd.conf \\- settings of podcastd",
            ".SH DESCRIPTION",
            "Sections in brackets, one \\fIname = value\\fR a line, comments after # or ;. podcastd and podcast\\-refresh read the",
            "file of their \\-\\-config option, else $XDG_CONFIG_HOME/podcastd/podcastd.conf, else /etc/podcastd.conf. What a",
            "client sets with \\fBpodcastctl settings\\fR wins over the file, the command line over both. An unknown name or a",
            "value that does not fit is named with its line, and the program does not start; at a reload of the daemon the",
            "settings from before stay. podcast\\-refresh looks at daemon.data_dir, refresh.jobs and [network], each time anew.",
        ]
        for section in SettingTable.sections {
            lines += [".SH [\(section.name)]", section.help]
            for declaration in SettingTable.all where declaration.section == section.name {
                let value = declaration.defaultValue.isEmpty ? "empty" : declaration.defaultValue
                lines += [".TP", ".B \(declaration.name)"]
                lines += declaration.help.map(escaped)
                if let range = rangeLine(declaration.kind) { lines.append(escaped(range)) }
                lines.append(
                    "Default: \(escaped(value))."
                        + (declaration.needsRestart ? " A change waits for the next start." : ""))
            }
        }
        lines += [".SH SEE ALSO", ".BR podcastd (8), \\fBpodcastctl\\fR(1), \\fBpodcast\\-refresh\\fR(1)"]
        return lines.joined(separator: "\n") + "\n"
    }

    /// Escapes a line of text for man(7).
    private static func escaped(_ text: String) -> String {
        var safe = text.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\e")
        safe = safe.split(separator: "-", omittingEmptySubsequences: false).joined(separator: "\\-")
        return safe.hasPrefix(".") || safe.hasPrefix("'") ? "\\&" + safe : safe
    }

    private static func rangeLine(_ kind: SettingDeclaration.Kind) -> String? {
        switch kind {
        case .text, .path, .logLevels: nil
        case .choice(let words): "One of: \(words.joined(separator: ", "))."
        case .flag: "yes or no."
        case .integer(let range): "\(range.lowerBound) to \(range.upperBound)."
        case .duration(let range):
            "Seconds, or with s, m, h or d behind; \(range.lowerBound) to \(range.upperBound) seconds."
        case .size: "Bytes, or with K, M, G or T behind."
        }
    }
}
