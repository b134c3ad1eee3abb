extension CaseIterable where Self: RawRepresentable<String> {
    /// The raw values of all cases.
    public static var words: [String] { allCases.map(\.rawValue) }
}
