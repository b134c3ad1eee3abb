internal import XMLEvents

/// Finds the rule of an element: the one place that knows which handlers there are.
///
/// Names are compared as strings once for each element of a document; after that libxml2's pointers are enough.
struct NamespaceTable {
    /// Every handler. Adding a namespace is adding its handler here.
    private static let handlers: [any FeedNamespace.Type] = [
        RSSNamespace.self, AtomNamespace.self, ITunesNamespace.self, PodcastNamespace.self, ContentNamespace.self,
        DublinCoreNamespace.self, DublinTermsNamespace.self, MediaRSSNamespace.self, PodloveNamespace.self,
        GooglePlayNamespace.self, FeedHistoryNamespace.self, XHTMLNamespace.self,
    ]
    private static let byName: [String: any FeedNamespace.Type] = Dictionary(
        handlers.flatMap { handler in handler.names.map { ($0, handler) } }, uniquingKeysWith: { first, _ in first })
    private static let byPrefix: [String: any FeedNamespace.Type] = Dictionary(
        handlers.compactMap { handler in handler.prefix.map { ($0, handler) } }, uniquingKeysWith: { first, _ in first }
    )

    private struct Entry {
        var local: UnsafePointer<UInt8>?
        var uri: UnsafePointer<UInt8>?
        var prefix: UnsafePointer<UInt8>?
        var scope = Scope.document
        /// Index into `rules`; -1 for none.
        var rule: Int32 = -1
    }

    private static let slots = 256
    private var cache = [Entry](repeating: Entry(), count: NamespaceTable.slots)
    private var rules: [ElementRule] = []
    /// The handler of elements in the root's own namespace.
    private var core: any FeedNamespace.Type = RSSNamespace.self
    private var coreName: String?

    /// The rule at an index that `find` gave.
    func rule(_ index: Int32) -> ElementRule { rules[Int(index)] }

    /// The index of the rule of an element in a scope; nil when it means nothing there.
    mutating func find(_ name: XMLElementName, in scope: Scope) -> Int32? {
        let hash = UInt(bitPattern: name.local) >> 3 ^ UInt(bitPattern: name.uri) >> 4 ^ UInt(scope.rawValue) &* 37
        let slot = Int(hash % UInt(Self.slots))
        let entry = cache[slot]
        if entry.local == name.local, entry.uri == name.uri, entry.prefix == name.prefix, entry.scope == scope {
            return entry.rule < 0 ? nil : entry.rule
        }
        let found = resolve(name, in: scope)
        if let found {
            // Bounded: there are only so many elements that mean something, and one entry for each miss of the cache.
            if rules.count > 4096 { forget() }
            rules.append(found)
        }
        let index = found == nil ? -1 : Int32(rules.count - 1)
        cache[slot] = Entry(local: name.local, uri: name.uri, prefix: name.prefix, scope: scope, rule: index)
        return index < 0 ? nil : index
    }

    private mutating func forget() {
        rules.removeAll()
        cache = [Entry](repeating: Entry(), count: Self.slots)
    }

    /// Takes the root's namespace for that of its format, whatever it is called.
    mutating func setCore(_ core: any FeedNamespace.Type, root: XMLElementName) {
        self.core = core
        coreName = root.namespace.map(Self.canonical)
        forget()
    }

    private func resolve(_ name: XMLElementName, in scope: Scope) -> ElementRule? {
        let local = name.localName.lowercased()
        guard let handler = handler(of: name) else { return nil }
        return handler.rule(for: local, in: scope)
    }

    private func handler(of name: XMLElementName) -> (any FeedNamespace.Type)? {
        guard let namespace = name.namespace else {
            guard let prefix = name.prefixName else { return core }
            return Self.byPrefix[prefix.lowercased()]
        }
        let canonical = Self.canonical(namespace)
        if let found = Self.byName[canonical] { return found }
        if canonical == coreName { return core }
        // A known prefix bound to a name that nobody knows: a misspelt one.
        return name.prefixName.flatMap { Self.byPrefix[$0.lowercased()] }
    }

    /// A namespace's name without what publishers get wrong: case, scheme, a slash or hash at the end.
    static func canonical(_ name: String) -> String {
        var rest = name.lowercased()[...]
        while let first = rest.first, first.isWhitespace { rest.removeFirst() }
        for scheme in ["http://", "https://"] where rest.hasPrefix(scheme) { rest.removeFirst(scheme.count) }
        if rest.hasPrefix("www.") { rest.removeFirst(4) }
        while let last = rest.last, last == "/" || last == "#" || last.isWhitespace { rest.removeLast() }
        return String(rest)
    }
}
