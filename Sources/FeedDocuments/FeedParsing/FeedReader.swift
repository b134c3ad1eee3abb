internal import PodcastModel
internal import XMLEvents

/// Passes libxml2's events to a `FeedReading`.
///
/// `FeedReading` is stored behind a pointer, not in a property: there is an event for every few bytes, and each would
/// check exclusive access at run time. Access is exclusive, because events arrive one after another on one thread.
final class FeedReader: XMLEventHandler {
    let reading: UnsafeMutablePointer<FeedReading>

    init(baseURL: String, limits: FeedLimits) {
        reading = .allocate(capacity: 1)
        reading.initialize(to: FeedReading(baseURL: baseURL, limits: limits))
    }

    deinit {
        reading.deinitialize(count: 1)
        reading.deallocate()
    }

    func startElement(_ name: XMLElementName, attributes: XMLAttributes) {
        reading.pointee.startElement(name, attributes)
    }

    func characters(_ text: UnsafeRawBufferPointer) { reading.pointee.characters(text) }

    func endElement(_ name: XMLElementName) { reading.pointee.endElement(name) }
}

/// Follows a document's elements and fills a draft by their rules.
///
/// A tolerant stack: each open element has a frame that determines how its children are read. An element that cannot be
/// inside a text, such as an item, shows that the text's end tag is missing, and ends the text.
struct FeedReading: ~Copyable {
    private struct Frame {
        var scope: Scope
        /// Index of the element's rule; -1 for none.
        var rule: Int32
        /// True if the element has its own base, which ends with it.
        var hasBase = false
        /// True if the element's text is being collected.
        var isCapturing = false
    }

    private(set) var draft: FeedDraft
    private var table = NamespaceTable()
    private var frames: [Frame] = []
    private var outerBases: [FeedURL] = []
    private var capture: TextCapture
    private var isCapturing = false
    /// Number of open elements within a text or an ignored element; they have no frames.
    private var skippedDepth = 0
    private(set) var cutTexts = 0
    /// True if the document ended in an item that could not be played yet.
    private(set) var didDropItem = false

    init(baseURL: String, limits: FeedLimits) {
        draft = FeedDraft(baseURL: baseURL, limits: limits)
        capture = TextCapture(limit: limits.textBytes)
        frames.reserveCapacity(32)
    }

    mutating func startElement(_ name: XMLElementName, _ attributes: XMLAttributes) {
        if isCapturing {
            guard let scope = outerScope, capture.mayBeUnclosed(before: name), table.find(name, in: scope) >= 0 else {
                skippedDepth += 1
                return capture.open(name, attributes)
            }
            finishCapture()
            frames[frames.count - 1].scope = scope
            frames[frames.count - 1].rule = -1
            // The end tags of elements within the unfinished text may still follow.
            for _ in 0..<skippedDepth { frames.append(Frame(scope: scope, rule: -1)) }
            skippedDepth = 0
        }
        var scope = frames.last?.scope ?? .document
        if scope == .ignored {
            // An element that has only attributes may lack its end tag, such as `<enclosure url="…">`.
            guard skippedDepth == 0, let outer = outerScope, let around = frames.last, around.rule >= 0,
                table.rule(around.rule).use == .nothing, TextCapture.mayFollowUnclosedTag(name),
                table.find(name, in: outer) >= 0
            else {
                skippedDepth += 1
                return
            }
            frames[frames.count - 1].scope = outer
            scope = outer
        }
        if scope == .document { begin(root: name, attributes) }
        let rule = table.find(name, in: scope)
        var frame = Frame(scope: .ignored, rule: rule)
        if attributes.count > 0,
            let base = ElementText(trimming: attributes.value(named: "base", prefix: "xml", uri: xmlURI))
        {
            outerBases.append(draft.base)
            draft.base = draft.base.rebased(base)
            frame.hasBase = true
        }
        if rule >= 0 { apply(table.rule(rule), &frame, attributes) }
        frames.append(frame)
    }

    private let xmlURI: StaticString = "http://www.w3.org/XML/1998/namespace"

    private mutating func apply(
        _ rule: ElementRule, _ frame: inout Frame, _ attributes: XMLAttributes
    ) {
        rule.begin?(&draft, attributes)
        switch rule.use {
        case .nothing: break
        case .enter(let scope): frame.scope = scope
        case .text: startCapture(&frame, .plain)
        case .label: startCapture(&frame, TextCapture.Form(attributes) == .base64 ? .base64 : .plain)
        case .markup: startCapture(&frame, TextCapture.Form(attributes))
        }
        if frame.scope == .channel, draft.channel[.language].value == nil {
            let language = ElementText(trimming: attributes.value(named: "lang", prefix: "xml", uri: xmlURI))
            draft.channel[.language].offer(.other, language?.string)
        }
    }

    private mutating func startCapture(_ frame: inout Frame, _ form: TextCapture.Form) {
        frame.isCapturing = true
        isCapturing = true
        capture.begin(form)
    }

    mutating func characters(_ text: UnsafeRawBufferPointer) { if isCapturing { capture.append(text) } }

    mutating func endElement(_ name: XMLElementName) {
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

    private mutating func finishCapture() {
        isCapturing = false
        guard let frame = frames.last, frame.rule >= 0 else { return }
        if capture.isCut { cutTexts += 1 }
        if let end = table.rule(frame.rule).end { capture.withText { text in end(&draft, text) } }
    }

    /// The scope around the innermost element, in which the next element is if the end tag of the innermost one is missing.
    private var outerScope: Scope? {
        guard frames.count >= 2 else { return nil }
        let scope = frames[frames.count - 2].scope
        return scope == .item || scope == .channel ? scope : nil
    }

    private mutating func begin(root name: XMLElementName, _ attributes: XMLAttributes) {
        switch NamespaceTable.lowercased(name.local) {
        case "feed":
            table.setCore(.atom, root: name)
            draft.format = name.namespace?.contains("purl.org") ?? false ? "Atom 0.3" : "Atom 1.0"
        case "rdf":
            table.setCore(.rss, root: name)
            draft.format = "RSS 1.0"
        default:
            table.setCore(.rss, root: name)
            draft.format = attributes.text("version")?.string.map { "RSS \($0.prefix(8))" } ?? "RSS"
        }
    }

    /// Ends the document: an unfinished item is kept if it can be played.
    mutating func breakOff() { if draft.abandonItem() { didDropItem = true } else { draft.endItem() } }
}
