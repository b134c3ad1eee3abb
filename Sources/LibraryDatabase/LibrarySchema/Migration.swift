/// A step of the schema from `version - 1` to `version`. Published steps never change: add another one.
public struct Migration: Sendable {
    /// The `user_version` of a file after this step.
    let version: Int
    /// SQL, run in one transaction.
    let script: String

    init(version: Int, script: String) {
        (self.version, self.script) = (version, script)
    }

    /// All steps, in order and without gaps.
    static let all = [Migration(version: 1, script: Schema.script)]
}
