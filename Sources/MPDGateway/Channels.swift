internal import MPDProtocol

/// Messages between clients: MPD's protocol documentation, "Client to client".
struct Channels {
    /// As in MPD.
    private static let mostChannels = 16
    private static let mostMessages = 64
    /// Bytes of a message at most: all that wait shall not fill the memory.
    private static let maximumBytes = 4096

    private struct Client {
        var channels: Set<String> = []
        var messages: [(channel: String, text: String)] = []
    }

    /// By the number of the connection.
    private var clients: [UInt64: Client] = [:]

    /// All channels that somebody listens to.
    var names: [String] { Set(clients.values.flatMap(\.channels)).sorted() }

    mutating func subscribe(_ client: UInt64, to channel: String) throws(MPDError) {
        let isName = channel.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "_-.:".unicodeScalars.contains(scalar))
        }
        if channel.isEmpty || channel.utf8.count > 64 || !isName { throw MPDError(.argument, "invalid channel name") }
        var state = clients[client] ?? Client()
        if state.channels.contains(channel) { throw MPDError(.exists, "already subscribed to this channel") }
        if state.channels.count >= Self.mostChannels { throw MPDError(.exists, "subscription list is full") }
        state.channels.insert(channel)
        clients[client] = state
    }

    mutating func unsubscribe(_ client: UInt64, from channel: String) throws(MPDError) {
        guard clients[client]?.channels.remove(channel) != nil else {
            throw MPDError(.noSuchObject, "not subscribed to this channel")
        }
    }

    /// - Returns: the clients that got it.
    mutating func send(_ text: String, to channel: String) throws(MPDError) -> [UInt64] {
        if text.utf8.count > Self.maximumBytes { throw MPDError(.argument, "the message is too long") }
        let listeners = clients.filter { $0.value.channels.contains(channel) }.map(\.key)
        if listeners.isEmpty { throw MPDError(.noSuchObject, "nobody is subscribed to this channel") }
        let reached = listeners.filter { clients[$0]?.messages.count ?? 0 < Self.mostMessages }
        for listener in reached { clients[listener]?.messages.append((channel, text)) }
        return reached
    }

    /// Takes what waits for a client.
    mutating func takeMessages(_ client: UInt64) -> [(channel: String, text: String)] {
        let messages = clients[client]?.messages ?? []
        clients[client]?.messages = []
        return messages
    }

    mutating func remove(_ client: UInt64) { clients[client] = nil }
}
