internal import PodcastModel
internal import XMLEvents

/// Follows a document's elements and fills a draft with what their rules make of them.
///
/// A tolerant stack: each open element is a frame that says how its children are read. An element that cannot be inside
/// an open text (an item, say) shows that the text's end tag is missing, and ends it.
final class FeedReader: XMLEventHandler {
    private struct Frame {
        /// Where the children stand.
        var scope: Scope
        /// Index of its rule; -1 for none.
        var rule: Int32
        /// It has a base of its own, which ends with it.
        var hasBase = false
        /// Its text is being collected.
        var isCapturing = false
    }

    private(set) var draft: FeedDraft
    private var table = NamespaceTable()
    private var frames: [Frame] = []
    private var outerBases: [FeedURL] = []
    private var capture: TextCapture
    private(set) var isCapturing = false
    /// Open elements within a text or within something ignored: they need no frame.
    private var skippedDepth = 0
    /// Texts that were cut off.
    private(set) var cutTexts = 0

    init(baseURL: String, limits: FeedLimits) {
        draft = FeedDraft(baseURL: baseURL, limits: limits)
        capture = TextCapture(limit: limits.textBytes)
        frames.reserveCapacity(32)
    }

    func startElement(_ name: XMLElementName, attributes: XMLAttributes) {
        if isCapturing {
            guard let scope = scopeBehindMissingEnd(name) else {
                skippedDepth += 1
                return capture.open(name, attributes)
            }
            finishCapture()
            frames[frames.count - 1].scope = scope
            frames[frames.count - 1].rule = -1
            // Elements within the text that never ended have their end tags still to come.
            for _ in 0..<skippedDepth { frames.append(Frame(scope: scope, rule: -1)) }
            skippedDepth = 0
        }
        let scope = frames.last?.scope ?? .document
        if scope == .ignored {
            skippedDepth += 1
            return
        }
        if scope == .document { begin(root: name, attributes) }
        let rule = table.find(name, in: scope)
        var frame = Frame(scope: .ignored, rule: rule ?? -1)
        if attributes.count > 0,
            let base = ElementText(trimming: attributes.value(named: "base", prefix: "xml", uri: xmlURI))
        {
            outerBases.append(draft.base)
            draft.base = draft.base.rebased(base)
            frame.hasBase = true
        }
        if let rule { apply(table.rule(rule), &frame, name, attributes) }
        frames.append(frame)
    }

    private let xmlURI: StaticString = "http://www.w3.org/XML/1998/namespace"

    private func apply(_ rule: ElementRule, _ frame: inout Frame, _ name: XMLElementName, _ attributes: XMLAttributes) {
        rule.begin?(&draft, attributes)
        switch rule.use {
        case .nothing: break
        case .enter(let scope): frame.scope = scope
        case .text: startCapture(&frame, .plain)
        case .markup: startCapture(&frame, TextCapture.Form(attributes))
        }
        if frame.scope == .channel, draft.channel.language.value == nil {
            let language = ElementText(trimming: attributes.value(named: "lang", prefix: "xml", uri: xmlURI))
            draft.channel.language.offer(Rank.other, language?.string)
        }
    }

    private func startCapture(_ frame: inout Frame, _ form: TextCapture.Form) {
        frame.isCapturing = true
        isCapturing = true
        capture.begin(form)
    }

    func characters(_ text: UnsafeRawBufferPointer) {
        if isCapturing { capture.append(text) }
    }

    func endElement(_ name: XMLElementName) {
        if skippedDepth > 0 {
            skippedDepth -= 1
            if isCapturing { capture.close(name) }
            return
        }
        guard let frame = frames.last else { return }
        if frame.isCapturing {
            if isCapturing { finishCapture() }
        } else if frame.rule >= 0, let end = table.rule(frame.rule).end {
            end(&draft, ElementText(trimming: UnsafeRawBufferPointer(start: nil, count: 0)))
        }
        frames.removeLast()
        if frame.hasBase, let outer = outerBases.popLast() { draft.base = outer }
    }

    /// Hands the collected text to its rule.
    private func finishCapture() {
        isCapturing = false
        guard let frame = frames.last, frame.rule >= 0 else { return }
        if capture.isCut { cutTexts += 1 }
        if let end = table.rule(frame.rule).end {
            capture.withText { text in end(&draft, text) }
        }
    }

    /// The scope that an element belongs to when the text it stands in should have ended before; nil when it is part
    /// of the text, as tags in notes are.
    private func scopeBehindMissingEnd(_ name: XMLElementName) -> Scope? {
        guard frames.count >= 2 else { return nil }
        let scope = frames[frames.count - 2].scope
        guard scope == .item || scope == .channel, capture.mayBeUnclosed(before: name) else { return nil }
        return table.find(name, in: scope) == nil ? nil : scope
    }

    /// Learns the format from the root element.
    private func begin(root name: XMLElementName, _ attributes: XMLAttributes) {
        switch name.localName.lowercased() {
        case "feed":
            table.setCore(AtomNamespace.self, root: name)
            let isOld = name.namespace?.contains("purl.org") ?? false
            draft.format = isOld ? "Atom 0.3" : "Atom 1.0"
        case "rdf":
            table.setCore(RSSNamespace.self, root: name)
            draft.format = "RSS 1.0"
        default:
            table.setCore(RSSNamespace.self, root: name)
            let version = ElementText(trimming: attributes.value(named: "version"))?.string
            draft.format = version.map { "RSS \($0.prefix(8))" } ?? "RSS"
        }
    }

    /// Ends what the document left open: gives what was read, and whether an item was dropped that had only begun.
    func finish(isTruncated: Bool) -> (contents: FeedContents, didDropItem: Bool) {
        let didDropItem = isTruncated && draft.abandonItem()
        draft.endItem()
        return (draft.build(), didDropItem)
    }
}
