/// Hosts that may have private addresses, by the user's word: this machine's, the local network's, a carrier's inside.
///
/// A name that strangers chose (an enclosure, a redirect) and that leads to such an address is how they reach what only
/// this machine can; it is refused unless it is among these.
public struct PrivateHosts: Equatable, Sendable {
    private var names: Set<String> = []
    /// What stands behind `*.`, with its dot.
    private var suffixes: [String] = []
    private var areAll = false

    /// None.
    public init() {}

    /// Every host.
    public static let all = PrivateHosts("*")

    /// The hosts of a list parted by blanks or commas: names, addresses, `*.example.org` for all below one, `*` for all.
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

    /// Whether a host is among them; as `HTTPURL.host(of:)` writes it.
    public func contains(_ host: String) -> Bool {
        if areAll { return true }
        if names.isEmpty && suffixes.isEmpty { return false }
        let name = PrivateHosts.bare(host)
        return names.contains(name) || suffixes.contains { name.hasSuffix($0) }
    }

    /// The last labels of names that no public server resolves: RFC 6761, RFC 6762, RFC 8375, ICANN's list of those that
    /// are used inside so often that they are never delegated, and that of a common maker of home routers.
    private static let privateSuffixes = [
        ["localhost"], ["localdomain"], ["local"], ["internal"], ["intranet"], ["corp"], ["lan"], ["home"], ["test"],
        ["home", "arpa"], ["fritz", "box"],
    ]

    /// Whether somebody who writes this host means a private one: an address that is, or a name that no public server
    /// resolves, as is one without dots.
    public static func isPrivateName(_ host: String) -> Bool {
        let name = bare(host.lowercased())
        if let address = InternetAddress(name) { return !address.isPublic }
        let labels = name.split(separator: ".").map(String.init)
        return labels.count == 1 || privateSuffixes.contains { labels.suffix($0.count) == $0[...] }
    }

    /// Without brackets around an address and the dot that ends a full name.
    private static func bare(_ host: String) -> String {
        var name = host[...]
        if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
        if name.hasSuffix(".") { name = name.dropLast() }
        return String(name)
    }
}

/// Decides which addresses a request may connect to.
struct AddressGate {
    /// By the settings.
    let allowed: PrivateHosts
    /// Whose hosts the user named.
    let request: HTTPRequest
    /// Whether names are looked up by a proxy, so that the address connected to says nothing.
    let isProxied: (_ url: String) -> Bool
    /// This machine's.
    let own: OwnAddresses

    /// Why a request for a URL may not go to an address; nil when it may.
    func refusal(of address: InternetAddress, for url: String) -> String? {
        let isProxied = isProxied(url)
        // The proxy's address says nothing; one that the URL names does.
        let target = isProxied ? HTTPURL.host(of: url).flatMap { InternetAddress($0) } : address
        let isOwn = target.map { $0.isPublic && own.contains($0) } ?? false
        if address.isPublic && !isProxied && !isOwn { return nil }
        let host = HTTPURL.host(of: url) ?? ""
        if allowed.contains(host) { return nil }
        let isNamed = (request.namedHosts ?? [HTTPURL.host(of: request.url) ?? ""]).contains(host)
        // The user may mean the site that this machine serves; its name says nothing about that.
        if isOwn { return isNamed ? nil : "\(host) has an address of this machine or its network" }
        let saysPrivate = PrivateHosts.isPrivateName(host)
        if isProxied { return !saysPrivate || isNamed ? nil : "\(host) is on a private network" }
        return isNamed && saysPrivate ? nil : "\(host) has a private address"
    }
}
