/// One step of the schema, from `version - 1` to `version`. A step that was published never changes: a correction is
/// another step.
public struct Migration: Sendable {
    /// The `user_version` of a file after this step.
    public let version: Int
    /// What it runs, within one transaction.
    public let script: String
    /// Whether the script edits the schema's own text.
    var editsSchema = false

    init(version: Int, script: String, editsSchema: Bool = false) {
        (self.version, self.script, self.editsSchema) = (version, script, editsSchema)
    }

    /// Every step, in order and without gaps.
    public static let all: [Migration] = [
        .core, .indexes, .history, .moving, .rules, .refreshing, .finding, .identity, .undoing, .published,
        .additions, .bounds, .prefixes, .starsAndNotes, .acts, .records, .habits, .markedParts, .settings,
        .automaticActs, .progress,
    ]
}
