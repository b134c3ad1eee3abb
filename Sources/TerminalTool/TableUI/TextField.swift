internal import CommandLineTool
internal import PodcastModel

/// A line of text that is typed: search, notes, values of forms.
struct TextField: Equatable {
    enum Outcome {
        case changed, done, cancelled
        /// The key means nothing here.
        case unused
    }

    /// Characters at most.
    private static let maximum = 4_000
    private(set) var characters: [Character]
    /// Index of the character before which typed text is inserted.
    private(set) var caret: Int

    init(_ text: String = "") {
        characters = Array(text.prefix(Self.maximum))
        caret = characters.count
    }

    /// With the caret between two texts.
    init(_ before: String, after: String) {
        self.init(before + after)
        caret = min(before.count, characters.count)
    }

    var text: String { String(characters) }
    var textBeforeCaret: String { String(characters[..<caret]) }
    var textAfterCaret: String { String(characters[caret...]) }

    /// Takes a key: the keys of a shell's line.
    mutating func handle(_ key: Key) -> Outcome {
        if let character = key.typed { return insert(character) }
        if key.hasControl, case .character(let character) = key.code { return handle(control: character) }
        guard case .named(let name) = key.code else { return .unused }
        switch name {
        case .enter: return .done
        case .escape: return .cancelled
        case .backspace: return delete(caret - 1)
        case .delete: return delete(caret)
        case .left: caret = max(0, caret - 1)
        case .right: caret = min(characters.count, caret + 1)
        case .home: caret = 0
        case .end: caret = characters.count
        case .up, .down, .pageUp, .pageDown, .tab, .backTab, .insert, .space: return .unused
        }
        return .changed
    }

    private mutating func handle(control character: Character) -> Outcome {
        switch character {
        case "A": caret = 0
        case "E": caret = characters.count
        case "U":
            characters.removeSubrange(..<caret)
            caret = 0
        case "K": characters.removeSubrange(caret...)
        case "W":
            let start = characters[..<caret].lastIndex { $0 != " " } ?? 0
            let word = characters[..<start].lastIndex(of: " ").map { $0 + 1 } ?? 0
            characters.removeSubrange(word..<caret)
            caret = word
        case "G", "C": return .cancelled
        default: return .unused
        }
        return .changed
    }

    /// Inserts pasted text as one line: line breaks between lines and tabs become spaces, other control characters are left out.
    mutating func paste(_ text: String) {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        for character in line {
            if character == "\t" {
                _ = insert(" ")
            } else if character.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) {
                _ = insert(character)
            }
        }
    }

    private mutating func insert(_ character: Character) -> Outcome {
        guard characters.count < Self.maximum else { return .unused }
        characters.insert(character, at: caret)
        caret += 1
        return .changed
    }

    private mutating func delete(_ index: Int) -> Outcome {
        guard characters.indices.contains(index) else { return .unused }
        characters.remove(at: index)
        caret = index
        return .changed
    }

    /// Draws the end of the text that fits, with the caret in view.
    func draw(on canvas: inout Canvas, column: Int, line: Int, width: Int, hidesText: Bool = false) {
        guard width > 1 else { return }
        let shown = hidesText ? Array(repeating: Character("*"), count: characters.count) : characters
        var start = caret
        var used = 0
        while start > 0 {
            let next = TextLayout.width(of: String(shown[start - 1]))
            if used + next >= width { break }
            used += next
            start -= 1
        }
        canvas.put(String(shown[start...]), column: column, line: line, width: width)
        canvas.caret = Canvas.Position(column: column + used, line: line)
    }
}
