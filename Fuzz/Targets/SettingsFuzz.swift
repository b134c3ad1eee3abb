import Configuration

/// The config file, and the file of settings made by clients.
enum SettingsFuzz {
    /// Parses the input as a config file: every problem has a line number, and accepted values stay unchanged.
    static func readConfig(_ input: FuzzInput) {
        let text = input.text
        var settings = Settings()
        let lines = text.utf8.count { $0 == UInt8(ascii: "\n") } + 1
        for problem in settings.read(text, file: "x", as: .client) {
            require((1...lines).contains(problem.line ?? 0), "\(problem) of \(lines) lines")
        }
        requireKept(settings)
    }

    /// Sets values as a client would. The input contains `KEY`, a tab and the value for each, terminated by a zero
    /// byte.
    static func writeAndRead(_ input: FuzzInput) {
        var settings = Settings()
        for entry in input.rest.split(separator: 0, omittingEmptySubsequences: true) {
            let parts = entry.split(separator: UInt8(ascii: "\t"), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            let (key, value) = (String(decoding: parts[0], as: UTF8.self), String(decoding: parts[1], as: UTF8.self))
            try? settings.set(key, to: value, from: .client)
        }
        requireKept(settings)
    }

    private static func requireKept(_ settings: Settings) {
        let text = settings.text(of: .client)
        var copy = Settings()
        let problems = copy.read(text, file: "settings", as: .client)
        require(problems.isEmpty, "\(problems) in \(text.debugDescription)")
        require(copy == settings, "\(text.debugDescription) reads as \(copy.text(of: .client).debugDescription)")
    }
}
