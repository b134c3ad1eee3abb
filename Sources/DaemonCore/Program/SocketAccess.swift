internal import CommandLineTool
internal import Configuration
internal import SystemCalls

/// Lets users and groups of `[control]` reach the socket of a daemon that made it itself: with entries in the access lists of the socket
/// and of its folder. Folders above that are not this daemon's business, so what they lack is only reported.
struct SocketAccess {
    private struct Person {
        let name: String
        let subject: AccessList.Subject
        let user: UInt32?
        let groups: [UInt32]

        /// As setfacl(1) names it.
        var entry: String { user == nil ? "g:\(name)" : "u:\(name)" }
    }

    private static let readAndWrite: UInt16 = 6
    private static let search: UInt16 = 1

    private let socket: String
    private let people: [Person]

    /// - Throws: `configuration` for a user or group that does not exist.
    init(_ settings: Settings, socket: String) throws(ToolFailure) {
        self.socket = CurrentProcess.absolutePath(socket)
        do throws(SettingProblem) {
            people =
                try PermissionTable.users(in: settings).map { row in
                    Person(
                        name: row.name, subject: .user(row.id), user: row.id, groups: UserDatabase.groups(of: row.name))
                }
                + PermissionTable.groups(in: settings).map { row in
                    Person(name: row.name, subject: .group(row.id), user: nil, groups: [row.id])
                }
        } catch {
            throw ToolFailure(.configuration, error.description)
        }
    }

    /// Grants what it can.
    ///
    /// - Returns: messages about the rest, each with the commands that grant it.
    func grant() -> [String] {
        if people.isEmpty { return [] }
        let folder = StoredFile.folder(of: socket)
        var obstacles = [
            grant(Self.readAndWrite, on: socket), grant(Self.search, on: folder),
        ].compactMap(\.self)
        var parent = folder
        while parent != "/" {
            parent = StoredFile.folder(of: parent)
            if let obstacle = missing(Self.search, on: parent) { obstacles.append(obstacle) }
        }
        return obstacles
    }

    private func grant(_ access: UInt16, on path: String) -> String? {
        if lacking(access, on: path).isEmpty { return nil }
        if var list = try? AccessList(of: path) {
            for person in people { list.grant(access, to: person.subject) }
            if (try? list.set(on: path)) != nil { return nil }
        }
        return missing(access, on: path)
    }

    private func lacking(_ access: UInt16, on path: String) -> [Person] {
        guard let list = try? AccessList(of: path) else { return people }
        return people.filter { !list.allows(access, user: $0.user, groups: $0.groups) }
    }

    private func missing(_ access: UInt16, on path: String) -> String? {
        let people = lacking(access, on: path)
        if people.isEmpty { return nil }
        let names = people.map(\.name).joined(separator: ", ")
        let letters = access == Self.search ? "x" : "rw"
        let entries = people.map { "\($0.entry):\(letters)" }.joined(separator: ",")
        return "\(names) cannot use \(path), so [control] has no effect; to change that: setfacl -m \(entries) \(path)"
            + (access == Self.search ? ", or start podcastd with --socket PATH in a folder that others may enter" : "")
    }
}
