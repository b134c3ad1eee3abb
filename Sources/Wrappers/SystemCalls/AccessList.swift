internal import CLinux
internal import Glibc

/// The access control list of a file or folder: acl(5), as Linux stores it in an extended attribute.
public struct AccessList: Equatable, Sendable {
    /// Whom an entry is about.
    public enum Subject: Hashable, Sendable {
        case owner
        case user(UInt32)
        case owningGroup
        case group(UInt32)
        /// What users, groups and the owning group can have at most.
        case mask
        case others
    }

    private static let attribute = "system.posix_acl_access"
    private static let version: UInt32 = 2
    private static let noNumber = UInt32.max
    private static let maximumBytes = 4 << 10

    private var permissions: [Subject: UInt16] = [:]
    private var owner: UInt32
    private var owningGroup: UInt32

    /// The list of a path; without one, what its mode says. Links are followed.
    public init(of path: String) throws(SystemError) {
        var status = stat()
        try retrying("stat \(path)") { unsafe stat(path, &status) }
        (owner, owningGroup) = (status.st_uid, status.st_gid)
        var bytes = [UInt8](repeating: 0, count: Self.maximumBytes)
        let count = unsafe getxattr(path, Self.attribute, &bytes, bytes.count)
        if count > 4 {
            read(Array(bytes[4..<count]))
        } else {
            let mode = UInt16(truncatingIfNeeded: status.st_mode)
            permissions = [.owner: mode >> 6 & 7, .owningGroup: mode >> 3 & 7, .others: mode & 7]
        }
    }

    private mutating func read(_ entries: [UInt8]) {
        func number(_ start: Int, _ count: Int) -> UInt32 {
            (0..<count).reduce(0) { $0 | UInt32(entries[start + $1]) << (8 * $1) }
        }
        for start in stride(from: 0, to: entries.count - 7, by: 8) {
            let id = number(start + 4, 4)
            let subject: Subject? =
                switch number(start, 2) {
                case 0x01: .owner
                case 0x02: .user(id)
                case 0x04: .owningGroup
                case 0x08: .group(id)
                case 0x10: .mask
                case 0x20: .others
                case _: nil
                }
            if let subject { permissions[subject] = UInt16(truncatingIfNeeded: number(start + 2, 2)) }
        }
    }

    /// Adds to what a user or a group may do.
    /// - Parameter access: as in a mode: 4 read, 2 write, 1 search.
    public mutating func grant(_ access: UInt16, to subject: Subject) {
        permissions[subject, default: 0] |= access
        let named = permissions.filter { entry in
            switch entry.key {
            case .user, .group, .owningGroup: true
            case .owner, .mask, .others: false
            }
        }
        permissions[.mask] = named.values.reduce(permissions[.mask] ?? 0) { $0 | $1 }
    }

    /// Whether a user may do something.
    ///
    /// - Parameters:
    ///   - user: nil if only the groups are known.
    ///   - groups: all groups of the user.
    public func allows(_ access: UInt16, user: UInt32?, groups: [UInt32]) -> Bool {
        if user == 0 { return true }
        if user == owner { return permissions[.owner, default: 0] & access == access }
        let mask = permissions[.mask] ?? 7
        func has(_ subject: Subject) -> Bool? { permissions[subject].map { $0 & mask & access == access } }
        if let user, let answer = has(.user(user)) { return answer }
        let matching = groups.flatMap { [has(.group($0)), $0 == owningGroup ? has(.owningGroup) : nil] }.compactMap(
            \.self)
        return matching.isEmpty ? permissions[.others, default: 0] & access == access : matching.contains(true)
    }

    /// Sets it: setxattr(2).
    /// - Throws: ENOTSUP where the file system has no such lists.
    public func set(on path: String) throws(SystemError) {
        var bytes = Self.bytes(of: Self.version, 4)
        for (tag, id, access) in entries {
            bytes += Self.bytes(of: UInt32(tag), 2) + Self.bytes(of: UInt32(access), 2) + Self.bytes(of: id, 4)
        }
        try retrying("setxattr \(path)") { unsafe setxattr(path, Self.attribute, bytes, bytes.count, 0) }
    }

    /// In the order that the kernel asks for.
    private var entries: [(tag: UInt16, id: UInt32, access: UInt16)] {
        permissions.map { subject, access in
            switch subject {
            case .owner: (0x01, Self.noNumber, access)
            case .user(let id): (0x02, id, access)
            case .owningGroup: (0x04, Self.noNumber, access)
            case .group(let id): (0x08, id, access)
            case .mask: (0x10, Self.noNumber, access)
            case .others: (0x20, Self.noNumber, access)
            }
        }.sorted { ($0.tag, $0.id) < ($1.tag, $1.id) }
    }

    private static func bytes(of number: UInt32, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
    }
}
