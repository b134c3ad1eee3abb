extension CommandLine {
    /// The name by which the program was started, without its folder. A link may have another name than the file.
    public static var programName: String { String(arguments.first?.split(separator: "/").last ?? "") }
}
