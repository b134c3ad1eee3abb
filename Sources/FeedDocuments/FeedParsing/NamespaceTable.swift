internal import Glibc
internal import PodcastModel
internal import XMLEvents

/// Finds the rule of an element; the only place that lists the handlers.
///
/// Names are compared as strings once for each element of a document; later lookups compare libxml2's pointers.
struct NamespaceTable {
    /// To add a namespace, add its handler here.
    private static let handlers: [FeedNamespace] = [
        .rss, .atom, .iTunes, .podcast, .content, .enclosure, .dublinCore, .dublinTerms, .mediaRSS, .podlove, .history,
        .syndication, .xhtml,
    ]
    private static let byName: [String: FeedNamespace] = Dictionary(
        handlers.flatMap { handler in handler.names.map { ($0, handler) } }, uniquingKeysWith: { first, _ in first })
    private static let byPrefix = Dictionary(uniqueKeysWithValues: handlers.map { ($0.prefix, $0) })

    private struct Entry {
        var local: UnsafePointer<UInt8>?
        var uri: UnsafePointer<UInt8>?
        var prefix: UnsafePointer<UInt8>?
        var scope = Scope.document
        /// Index into `rules`; -1 for none.
        var rule: Int32 = -1
    }

    /// The key of a rule that was looked up; the number of names is limited.
    private struct RuleKey: Hashable {
        var handler: ObjectIdentifier
        var element: String
        var scope: Scope
    }

    private static let slots = 256
    /// Slots examined for one name before another name's slot is reused.
    private static let probes = 8
    private var cache = [Entry](repeating: Entry(), count: NamespaceTable.slots)
    private var rules: [ElementRule] = []
    private struct Found {
        var uri: UnsafePointer<UInt8>?
        var prefix: UnsafePointer<UInt8>?
        var handler: FeedNamespace?
    }
    private var found: [Found] = []
    private var ruleIndices = [RuleKey: Int32](minimumCapacity: 64)
    /// The handler of elements in the root's own namespace.
    private var core: FeedNamespace = .rss
    private var coreName: String?

    func rule(_ index: Int32) -> ElementRule { rules[Int(index)] }

    /// The index of an element's rule in a scope; -1 for an ignored element.
    mutating func find(_ name: XMLElementName, in scope: Scope) -> Int32 {
        // libxml2 stores each name once, so a hash of the pointers suffices; this runs for each element and attribute.
        let bits = UInt(bitPattern: name.local) ^ UInt(bitPattern: name.prefix) &* 31 ^ UInt(scope.rawValue) << 40
        let hash = Int((bits &* 0x9E37_79B9_7F4A_7C15) >> 56)
        for probe in 0..<Self.probes {
            let slot = (hash + probe) % Self.slots
            let entry = cache[slot]
            if entry.local == name.local, entry.uri == name.uri, entry.prefix == name.prefix, entry.scope == scope {
                return entry.rule
            }
            if entry.local == nil { return fill(slot, name, scope) }
        }
        return fill(hash % Self.slots, name, scope)
    }

    private mutating func fill(_ slot: Int, _ name: XMLElementName, _ scope: Scope) -> Int32 {
        let rule = resolve(name, in: scope)
        cache[slot] = Entry(local: name.local, uri: name.uri, prefix: name.prefix, scope: scope, rule: rule)
        return rule
    }

    /// Treats the root's namespace, whatever its name, as the namespace of its format.
    mutating func setCore(_ core: FeedNamespace, root: XMLElementName) {
        self.core = core
        coreName = root.uri.map(Self.canonical)
        found.removeAll()
        cache = [Entry](repeating: Entry(), count: Self.slots)
    }

    private mutating func resolve(_ name: XMLElementName, in scope: Scope) -> Int32 {
        guard let handler = handler(of: name) else { return -1 }
        let element = Self.lowercased(name.local)
        let key = RuleKey(handler: ObjectIdentifier(handler), element: element, scope: scope)
        if let known = ruleIndices[key] { return known }
        guard let rule = handler.rule(scope, element) else { return -1 }
        let index = Int32(rules.count)
        rules.append(rule)
        ruleIndices[key] = index
        return index
    }

    /// The handler of an element's namespace; searched once for each namespace and prefix, of which a feed has a dozen.
    private mutating func handler(of name: XMLElementName) -> FeedNamespace? {
        for known in found where known.uri == name.uri && known.prefix == name.prefix { return known.handler }
        let handler = search(name)
        if found.count < 64 { found.append(Found(uri: name.uri, prefix: name.prefix, handler: handler)) }
        return handler
    }

    private func search(_ name: XMLElementName) -> FeedNamespace? {
        guard let uri = name.uri else {
            guard let prefix = name.prefix else { return core }
            return Self.byPrefix[Self.lowercased(prefix)]
        }
        let canonical = Self.canonical(uri)
        if let known = Self.byName[canonical] { return known }
        if canonical == coreName { return core }
        // A known prefix with an unknown name: the name is misspelt.
        return name.prefix.flatMap { Self.byPrefix[Self.lowercased($0)] }
    }

    /// A zero-terminated text with A to Z as a to z.
    static func lowercased(_ text: UnsafePointer<UInt8>) -> String {
        ElementText(UnsafeRawBufferPointer(start: text, count: strlen(text))).lowercased
    }

    /// A namespace's name without common mistakes: case, scheme, a slash or hash at the end.
    static func canonical(_ name: UnsafePointer<UInt8>) -> String {
        var rest = Array(lowercased(name).utf8)[...]
        while let first = rest.first, first <= 0x20 { rest.removeFirst() }
        for opening in ["http://", "https://", "www."] where rest.starts(with: opening.utf8) {
            rest.removeFirst(opening.utf8.count)
        }
        while let last = rest.last, last == .slash || last == .hash || last <= 0x20 {
            rest.removeLast()
        }
        return String(utf8: rest)
    }
}
