/// The system's users and groups by their files: passwd(5), group(5). Names from elsewhere, such as LDAP, are not known to
/// a static program.
struct UserTables {
    private let users: [[Substring]]
    private let groups: [[Substring]]

    init(_ machine: any Machine) {
        users = Self.lines(of: machine.text(of: "/etc/passwd"))
        groups = Self.lines(of: machine.text(of: "/etc/group"))
    }

    private static func lines(of text: String?) -> [[Substring]] {
        (text ?? "").split(separator: "\n").map { $0.split(separator: ":", omittingEmptySubsequences: false) }
            .filter { $0.count >= 4 }
    }

    func name(of user: UInt32) -> String? { users.first { UInt32($0[2]) == user }.map { String($0[0]) } }

    /// Whether there is a user of that name.
    func hasUser(_ name: String) -> Bool { users.contains { $0[0] == name } }

    /// Whether a user is in a group: as a member, or by the user's own first group.
    func isMember(_ user: String, of group: String) -> Bool {
        guard let group = groups.first(where: { $0[0] == group }) else { return false }
        return group[3].split(separator: ",").contains { $0 == user }
            || users.contains { $0[0] == user && $0[3] == group[2] }
    }
}
