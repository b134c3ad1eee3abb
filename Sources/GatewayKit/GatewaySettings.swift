public import ControlLanguage
public import INIFile
internal import PodcastModel

/// What is wrong with a line of a settings file.
public struct SettingsProblem: Error, Equatable, Sendable, CustomStringConvertible {
    public var line: Int
    public var what: String
    public init(line: Int, _ what: String) { (self.line, self.what) = (line, what) }
    public var description: String { "line \(line): \(what)" }
}

/// What a gateway's settings file says, taken line by line.
public protocol GatewaySettings {
    init()
    mutating func take(_ entry: INIEntry) throws(SettingsProblem)
}

extension GatewaySettings {
    /// Reads a file's text and tells all that is wrong with it, in the order of the lines.
    public static func read(_ text: String) -> (settings: Self, problems: [SettingsProblem]) {
        let file = INIFile(parsing: text)
        var settings = Self()
        var problems = file.badLines.map {
            SettingsProblem(line: $0, "this line is neither a section nor 'name = value'")
        }
        for entry in file.entries {
            do throws(SettingsProblem) {
                try settings.take(entry)
            } catch {
                problems.append(error)
            }
        }
        return (settings, problems.sorted { $0.line < $1.line })
    }
}

extension INIEntry {
    public var words: [String] { value.split(separator: " ").map(String.init) }

    public func problem(_ what: String) -> SettingsProblem { SettingsProblem(line: line, what) }

    /// No such setting exists.
    ///
    /// - Parameter manual: the page that lists them.
    public func unknown(see manual: String) -> SettingsProblem {
        problem("unknown setting '\(SafeText.line(name))' in section [\(SafeText.line(section))]; see \(manual)")
    }

    /// The value, or another text of the line, as a permission; nil for `none`.
    public func permission(_ word: String? = nil) throws(SettingsProblem) -> CommandDeclaration.Permission? {
        let word = word ?? value
        if word == "none" { return nil }
        guard let permission = CommandDeclaration.Permission(name: word) else {
            throw problem("'\(SafeText.line(word))' is not a permission: none, read, control or admin")
        }
        return permission
    }

    public func number(in range: ClosedRange<Int>) throws(SettingsProblem) -> Int {
        guard let number = Int(value), range.contains(number) else {
            throw problem("\(name) must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    public func addresses() throws(SettingsProblem) -> [ListenAddress] {
        var addresses: [ListenAddress] = []
        for word in words {
            guard let address = ListenAddress(parsing: word) else {
                throw problem("'\(SafeText.line(word))' is not \(ListenAddress.syntax)")
            }
            addresses.append(address)
        }
        return addresses
    }
}
