public import PodcastModel
internal import SQLite

// Devices, settings that gPodder's clients keep here, and accounts of podcast-sync.
extension SyncStore {
    // MARK: Devices

    /// Maximum number of devices. Devices without an app password are forgotten first, the least recently seen one before others.
    static let mostDevices = 100
    /// Maximum number of devices with an app password.
    static let mostPaired = 50

    /// The most recently seen device comes first.
    public func devices() throws(LibraryError) -> [SyncDevice] {
        try read {
            try connection.all("SELECT * FROM device ORDER BY last_contact DESC, name") { row in
                var device = SyncDevice()
                device.name = row["name"]
                device.caption = row["caption"]
                device.kind = row["type"] ?? .other
                device.lastContact = row["last_contact"]
                device.acts = row["acts"]
                device.owner = row["owner"]
                return device
            }
        }
    }

    /// Adds a device, or changes what is known of it.
    /// - Parameters:
    ///   - caption: nil keeps the device's, which at first is its name.
    ///   - acts: number of acts that the device has sent now.
    public func note(
        _ name: String, caption: String? = nil, kind: SyncDevice.Kind? = nil, acts: Int = 0, at now: Timestamp
    ) throws(LibraryError) {
        try write(.relaxed) {
            try run(
                """
                INSERT INTO device(name, caption, type, last_contact, acts)
                VALUES (\(name), \(caption ?? name), \(kind ?? SyncDevice.Kind.other), \(now), \(acts))
                ON CONFLICT DO UPDATE SET caption = coalesce(\(caption), caption), type = coalesce(\(kind), type),
                  last_contact = \(now), acts = acts + \(acts)
                """)
            try run(
                """
                DELETE FROM device WHERE name IN (
                  SELECT name FROM device ORDER BY password IS NULL, last_contact DESC, name LIMIT -1 OFFSET \(Self.mostDevices))
                """)
        }
    }

    /// - Throws: `notFound`.
    public func remove(_ name: String) throws(LibraryError) {
        try write(.synced) {
            try run("DELETE FROM device WHERE name = \(name)")
            if connection.changedRows == 0 { throw LibraryError.notFound("device \(name)") }
        }
    }

    /// Adds a device with an app password.
    /// - Parameters:
    ///   - owner: the user of podcast-web to whom the password belongs.
    ///   - hash: of the password.
    /// - Throws: `refused` if the name is taken, or too many devices have passwords.
    public func pair(
        _ name: String, caption: String, owner: String, hash: String, at now: Timestamp
    ) throws(LibraryError) {
        try write(.synced) {
            let paired: Int = try connection.value("SELECT count(*) FROM device WHERE password IS NOT NULL") ?? 0
            if paired >= Self.mostPaired {
                throw LibraryError.refused("\(paired) devices have app passwords; remove one of them first")
            }
            try run(
                """
                INSERT OR IGNORE INTO device(name, caption, type, last_contact, owner, password)
                VALUES (\(name), \(caption), \(SyncDevice.Kind.mobile), \(now), \(owner), \(hash))
                """)
            if connection.changedRows == 0 { throw LibraryError.refused("the name '\(name)' is taken") }
        }
    }

    /// The owner and the hash of a device's app password; nil if it has none.
    public func password(of name: String) throws(LibraryError) -> (owner: String, hash: String)? {
        try read {
            try connection.first(
                "SELECT owner, password FROM device WHERE name = \(name) AND owner IS NOT NULL AND password IS NOT NULL"
            ) { ($0["owner"], $0["password"]) }
        }
    }

    // MARK: Settings of clients

    private static let (mostSettings, mostScopes, mostBytes) = (200, 1_000, 256 << 10)

    /// The settings of a scope in the order of their keys. Values are JSON.
    public func settings(of scope: String) throws(LibraryError) -> [(key: String, value: String)] {
        try read {
            try connection.all("SELECT key, value FROM gpodder_setting WHERE scope = \(scope) ORDER BY key") {
                ($0["key"], $0["value"])
            }
        }
    }

    /// - Throws: `refused`, without a change, if the scope or the library would have too many.
    public func change(
        _ scope: String, set: [(key: String, value: String)], removing keys: [String]
    ) throws(LibraryError) {
        try write(.relaxed) {
            for key in keys { try run("DELETE FROM gpodder_setting WHERE scope = \(scope) AND key = \(key)") }
            for (key, value) in set {
                try run("INSERT OR REPLACE INTO gpodder_setting VALUES (\(scope), \(key), \(value))")
            }
            let isTooMuch: Bool? = try connection.value(
                """
                SELECT count(*) > \(Self.mostSettings) OR sum(length(CAST(value AS BLOB))) > \(Self.mostBytes)
                  OR (SELECT count(DISTINCT scope) FROM gpodder_setting) > \(Self.mostScopes)
                FROM gpodder_setting WHERE scope = \(scope)
                """)
            if isTooMuch == true {
                throw LibraryError.refused(
                    "a scope has \(Self.mostSettings) settings of \(Self.mostBytes) bytes together at most, and there are "
                        + "\(Self.mostScopes) scopes at most")
            }
        }
    }

    // MARK: Accounts of podcast-sync

    public func accounts() throws(LibraryError) -> [SyncAccount] {
        try read {
            try connection.all("SELECT * FROM sync_account ORDER BY name", SyncAccount.init(row:))
        }
    }

    /// Accounts that are kept; the least recently synchronized one goes first.
    static let mostAccounts = 32

    /// Keeps how far an account is synchronized, if `serverRevision` is known. With another server the account begins from nothing.
    /// - Returns: the account as it is kept.
    public func save(_ account: SyncAccount) throws(LibraryError) -> SyncAccount {
        try write(.relaxed) {
            try run("DELETE FROM sync_account WHERE name = \(account.name) AND server <> \(account.server)")
            try run(
                "INSERT INTO sync_account(name, server) VALUES (\(account.name), \(account.server)) ON CONFLICT DO NOTHING"
            )
            try run(
                """
                DELETE FROM sync_account WHERE name IN (SELECT name FROM sync_account WHERE name <> \(account.name)
                  ORDER BY last_sync DESC, name LIMIT -1 OFFSET \(Self.mostAccounts - 1))
                """)
            if account.serverRevision > 0 {
                // An account that must begin from nothing (`ChangeStore.prune`) is synchronized first.
                try run(
                    """
                    UPDATE sync_account SET server_revision = \(account.serverRevision), sent_revision = \(account.sentRevision),
                      last_sync = coalesce(\(account.lastSync), last_sync)
                    WHERE name = \(account.name) AND (server_revision > 0 OR last_sync IS NULL OR \(account.lastSync) IS NOT NULL)
                    """)
            }
            var kept = account
            if let stored = try connection.first(
                "SELECT * FROM sync_account WHERE name = \(account.name)", SyncAccount.init(row:))
            {
                kept.lastSync = stored.lastSync
                kept.serverRevision = stored.serverRevision
                kept.sentRevision = stored.sentRevision
            }
            return kept
        }
    }
}

extension SyncAccount {
    fileprivate init(row: Row) {
        self.init()
        name = row["name"]
        server = row["server"]
        lastSync = row["last_sync"]
        serverRevision = row["server_revision"]
        sentRevision = row["sent_revision"]
    }
}
