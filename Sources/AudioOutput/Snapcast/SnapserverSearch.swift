internal import HTTP
internal import PodcastModel
internal import SystemCalls

/// One search for snapservers on every interface, by multicast DNS: a question as of RFC 6762, section 6.7, which servers answer to the
/// socket that asks. Only the sender of an answer is used.
struct SnapserverSearch {
    private static let (group, port): (String, UInt16) = ("224.0.0.251", 5353)
    private static let (mostInterfaces, mostServers, longestAnswer) = (8, 64, 1500)
    private static let patience = Duration.seconds(2)

    /// Twelve bytes: an identifier, no flags, one question.
    private static let header: [UInt8] = [0x50, 0x43, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    /// A name, the type PTR and the class IN.
    private static let question: [UInt8] =
        ["_snapcast", "_tcp", "local"].flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0, 0, 12, 0, 1]

    static func devices() -> [FoundDevice] {
        let addresses = ((try? NetworkInterfaces.addresses()) ?? []).filter { $0.count == 4 }
        let sockets = addresses.prefix(mostInterfaces).compactMap { try? MulticastSocket(interface: $0) }
        let query = String(decoding: header + question, as: UTF8.self)
        // Twice, because datagrams may be lost.
        for _ in 0..<2 { for socket in sockets { try? socket.send(query, to: group, port: port) } }
        var servers: Set<String> = []
        let end = Instant.now + patience
        while servers.count < mostServers, .now < end {
            var entries = sockets.map { PollEntry($0.descriptor) }
            guard (try? waitForAny(&entries, until: end)) != nil else { break }
            for socket in sockets {
                while let (bytes, sender) = socket.receive(upTo: longestAnswer) {
                    if isAnswer(bytes), servers.count < mostServers { servers.insert(sender) }
                }
            }
        }
        return servers.sorted().map { FoundDevice("snapserver \($0)", OutputSpecification(.snapcast, $0)) }
    }

    /// Whether a datagram repeats the question and has answers.
    static func isAnswer(_ bytes: [UInt8]) -> Bool {
        let answers = header.count + question.count
        return bytes.count > answers && bytes[..<2] == header[..<2] && bytes[2] & 0x80 != 0
            && (bytes[6] != 0 || bytes[7] != 0) && bytes[header.count..<answers] == question[...]
    }
}
