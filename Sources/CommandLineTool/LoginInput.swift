internal import PodcastModel
internal import SystemCalls

/// A user name and a password for a server.
public struct TypedLogin: Equatable, Sendable {
    public let username: String
    public let password: String
}

/// The login for URLs. The password is never an argument, because every user can read command lines.
public enum LoginInput {
    public static let user = OptionDeclaration(
        "user", nil, "NAME", help: "User name for a server that requires a login; the password is asked for.")
    public static let passwordFile = OptionDeclaration(
        "password-file", nil, "FILE", .file,
        help: "Read the password from the first line of FILE, or of standard input if FILE is -.")

    /// The login that a command line gives; nil if there is none.
    /// - Throws: `usage` if a part is missing and there is no terminal to ask on; `noInput` if the file is unreadable.
    public static func given(_ arguments: ParsedArguments, on errors: ToolOutput) throws(ToolFailure) -> TypedLogin? {
        let file = arguments.text(passwordFile)
        guard let name = arguments.text(user) else {
            if file == nil { return nil }
            throw .usage("--password-file needs --user NAME")
        }
        try check(name)
        if file == nil, !canAsk {
            throw .usage(
                "no password given, and standard input is not a terminal",
                hint: "use --password-file FILE, or --password-file - to read it from standard input")
        }
        guard let file, file != SecretInput.word else {
            return TypedLogin(username: name, password: try SecretInput.line(prompt: "Password: ", on: errors))
        }
        let descriptor = try ToolFailure.wrapping(.noInput) { try FileDescriptor.openForReading(file) }
        let line = SecretInput.nextLine(from: descriptor.raw)
        return TypedLogin(
            username: name, password: try SecretInput.text(of: line, "write it into the first line of \(file)"))
    }

    public static var canAsk: Bool { TerminalInput.isTerminal(0) && TerminalInput.isTerminal(2) }

    /// Asks for name and password on the terminal. Throws `usage` if nothing was typed.
    public static func ask(for address: String, on errors: ToolOutput) throws(ToolFailure) -> TypedLogin {
        errors.line("\(SafeText.line(address)) requires a login.")
        errors.write("User name: ")
        let name = String(utf8: SecretInput.nextLine())
        if name.isEmpty { throw .usage("no user name given; nothing was changed") }
        try check(name)
        return TypedLogin(username: name, password: try SecretInput.line(prompt: "Password: ", on: errors))
    }

    private static func check(_ name: String) throws(ToolFailure) {
        if let objection = FeedSetting.username.objection(to: name) {
            throw .usage("--user: \(objection)")
        }
    }
}
