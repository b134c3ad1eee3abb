import Configuration
import PodcastModel
/// The commented config file and its manual, from the declarations.
enum SettingsManual {
    /// The text of `etc/podcastd.conf`.
    static var configFile: String {
        var lines = [
            "# podcastd.conf: settings of podcastd; see podcastd.conf(5).",
            "# Each line shows a default. Uncomment a line to change it. 'podcastctl settings' shows what is in effect.",
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

    /// The source of podcastd.conf(5); see man(7).
    static var manualPage: String {
        var lines = [
            ".TH PODCASTD.CONF 5 \"\" podcastd podcastd", ".SH NAME", "podcastd.conf \\- settings of podcastd",
            ".SH DESCRIPTION",
            "The file has sections in brackets and one \\fIname = value\\fR per line; comments begin with # or ;. podcastd and",
            "podcast\\-refresh read the file given with \\-\\-config, else $XDG_CONFIG_HOME/podcastd/podcastd.conf, else",
            "/etc/podcastd.conf. Precedence: the daemon's command line, then \\fBpodcastctl settings\\fR, then this file, then the",
            "default. A line with an unknown name has no effect: podcastd writes a warning with the nearest name to its log,",
            "\\fBpodcastctl doctor\\fR reports the line, and podcast\\-refresh prints it unless it is run with \\-\\-quiet. If a value is",
            "invalid or a setting is in the wrong section, the program prints the line and does not start; if a reload fails, the",
            "daemon keeps its settings. podcast\\-refresh uses daemon.data_dir, refresh.jobs and [network], and reads them at each",
            "run.",
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
                        + (declaration.needsRestart ? " A change takes effect after a restart." : ""))
            }
        }
        lines += [".SH SEE ALSO", ".BR podcastd (8), \\fBpodcastctl\\fR(1), \\fBpodcast\\-refresh\\fR(1)"]
        return lines.joined(separator: "\n") + "\n"
    }

    /// Escapes a line of text for man(7).
    private static func escaped(_ text: String) -> String {
        var safe = text.replacing("\\", with: "\\e")
        safe = safe.split(separator: "-", omittingEmptySubsequences: false).joined(separator: "\\-")
        return safe.hasPrefix(".") || safe.hasPrefix("'") ? "\\&" + safe : safe
    }

    /// The valid values; nil if the help tells them.
    private static func rangeLine(_ kind: ValueKind) -> String? {
        switch kind.syntax {
        case .text, .path, .afterQueue, .logLevels: nil
        case .speed: "Value: \(kind.form), in steps of 0.05."
        default: "Value: \(kind.form)."
        }
    }
}
