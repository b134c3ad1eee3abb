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
            let name = word.lowercased()
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

    /// Whether somebody who writes this host means a private one: an address that is, or a name that no public server
    /// resolves (RFC 6761, RFC 6762, RFC 8375, one without dots).
    public static func isPrivateName(_ host: String) -> Bool {
        let name = bare(host.lowercased())
        if let address = InternetAddress(name) { return !address.isPublic }
        let labels = name.split(separator: ".")
        guard let last = labels.last else { return false }
        return labels.count == 1 || ["localhost", "local", "internal", "lan", "home", "test"].contains(last)
            || name.hasSuffix(".home.arpa")
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

    /// Why a request for a URL may not go to an address; nil when it may.
    func refusal(of address: InternetAddress, for url: String) -> String? {
        let isProxied = isProxied(url)
        if address.isPublic && !isProxied { return nil }
        let host = HTTPURL.host(of: url) ?? ""
        if isProxied {
            if !PrivateHosts.isPrivateName(host) || isAllowed(host) { return nil }
            return "\(host) is on a private network"
        }
        return isAllowed(host) ? nil : "\(host) has a private address"
    }

    private func isAllowed(_ host: String) -> Bool {
        if allowed.contains(host) { return true }
        let named = request.namedHosts ?? [HTTPURL.host(of: request.url) ?? ""]
        return named.contains(host) && PrivateHosts.isPrivateName(host)
    }
}
