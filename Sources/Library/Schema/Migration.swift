/// One step of the schema, from `version - 1` to `version`. A step that was published never changes: a correction is
/// another step.
struct Migration {
    /// The `user_version` of a file after this step.
    let version: Int
    /// What it runs, within one transaction.
    let script: String
    /// Whether the script edits the schema's own text.
    var editsSchema = false

    /// Every step, in order and without gaps.
    static let all: [Migration] = [
        .core, .indexes, .history, .moving, .rules, .refreshing, .finding, .identity, .undoing, .published,
        .additions, .bounds, .prefixes, .starsAndNotes, .acts, .records,
    ]
}
