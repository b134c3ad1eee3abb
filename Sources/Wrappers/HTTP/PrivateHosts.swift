/// Hosts that may have private addresses: this machine's, the local network's, a carrier's internal ones.
///
/// With an enclosure or a redirect that leads to such an address, an attacker could reach services that only this
/// machine can reach. Therefore other private hosts are refused.
public struct PrivateHosts: Equatable, Sendable {
    private var names: Set<String> = []
    /// The text after `*` in wildcards.
    private var suffixes: [String] = []
    private var areAll = false

    public init() {}

    static let all = PrivateHosts("*")

    /// - Parameter list: names, addresses, `*.example.org` or `*`, separated by spaces or commas.
    public init(_ list: String) {
        for word in list.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "\t" }) {
            let name = HTTPURL.asciiHost(String(word))
            if name == "*" {
                areAll = true
            } else if name.hasPrefix("*.") {
                suffixes.append(String(name.dropFirst()))
            } else {
                names.insert(PrivateHosts.bare(name))
            }
        }
    }

    /// Whether requests to a host that another program named are allowed, judged by the form of its name.
    public func allows(_ host: String) -> Bool { contains(host) || !Self.isPrivateName(host) }

    /// - Parameter host: in the form of `HTTPURL.host(of:)`.
    func contains(_ host: String) -> Bool {
        if areAll { return true }
        if names.isEmpty && suffixes.isEmpty { return false }
        let name = PrivateHosts.bare(host)
        return names.contains(name) || suffixes.contains { name.hasSuffix($0) }
    }

    /// Last labels of names that no public server resolves: RFC 6761, RFC 6762, RFC 8375, ICANN's list of names that
    /// are never delegated because many networks use them internally, and the name of a common brand of home routers.
    private static let privateSuffixes = [
        ["localhost"], ["localdomain"], ["local"], ["internal"], ["intranet"], ["corp"], ["lan"], ["home"], ["test"],
        ["home", "arpa"], ["fritz", "box"],
    ]

    /// True for a private address, a name without dots, and a name that no public server resolves.
    static func isPrivateName(_ host: String) -> Bool {
        let name = bare(host.lowercased())
        if let address = InternetAddress(name) { return !address.isPublic }
        let labels = name.split(separator: ".").map(String.init)
        return labels.count == 1 || privateSuffixes.contains { labels.suffix($0.count) == $0[...] }
    }

    /// Without the brackets of an IPv6 address and the final dot of a fully qualified name.
    private static func bare(_ host: String) -> String {
        var name = host[...]
        if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
        if name.hasSuffix(".") { name = name.dropLast() }
        return String(name)
    }
}

/// Decides which addresses a request may connect to.
struct AddressGate {
    let request: HTTPRequest
    let settings: HTTPSettings

    /// Why a request for a URL may not use an address; nil if it may.
    func refusal(of address: InternetAddress, for url: String) -> String? {
        // A proxy resolves names, so the connection's address is the proxy's.
        let isProxied = settings.proxy(for: url) != nil
        // An address in the URL itself is checked also with a proxy.
        let target = isProxied ? HTTPURL.host(of: url).flatMap { InternetAddress($0) } : address
        let isOwn = target.map { $0.isPublic && settings.ownAddresses.contains($0) } ?? false
        if address.isPublic && !isProxied && !isOwn { return nil }
        let host = HTTPURL.host(of: url) ?? ""
        if settings.privateHosts.contains(host) { return nil }
        let isNamed = (request.namedHosts ?? [HTTPURL.host(of: request.url) ?? ""]).contains(host)
        // The user may mean a site on this machine with a public name.
        if isOwn { return isNamed ? nil : "\(host) resolves to a private address" }
        let saysPrivate = PrivateHosts.isPrivateName(host)
        if isProxied { return !saysPrivate || isNamed ? nil : "\(host) is on a private network" }
        return isNamed && saysPrivate ? nil : "\(host) has a private address"
    }
}
