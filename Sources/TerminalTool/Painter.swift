internal import Terminal

/// Paints canvases on the terminal: lines that have not changed are left alone.
struct Painter {
    private let screen: CursesScreen
    private let theme: Theme
    private let isASCII: Bool
    private var shown: Canvas?

    /// - Parameter isASCII: whether the terminal does not read UTF-8.
    init(_ screen: CursesScreen, _ theme: Theme, isASCII: Bool) {
        self.screen = screen
        self.theme = theme
        self.isASCII = isASCII
    }

    /// Whether the terminal does not show the last canvas, because it has another size or was used otherwise.
    var mustPaint: Bool { shown == nil }

    /// The next canvas is painted whole.
    mutating func forget() {
        hidePicture()
        shown = nil
    }

    mutating func paint(_ canvas: Canvas) {
        if canvas == shown { return }
        let hasNewPicture = canvas.picture != shown?.picture
        if hasNewPicture { hidePicture() }
        let former = shown.flatMap { $0.size == canvas.size ? $0 : nil }
        for (line, spans) in canvas.lines.enumerated() where former?.lines[line] != spans {
            screen.clear(line: line)
            for span in spans {
                screen.put(
                    isASCII ? ASCIIText.of(span.text) : span.text, line: line, column: span.column,
                    theme.look(of: span.role, isSelected: span.isSelected))
            }
        }
        screen.show(caret: canvas.caret.map { ($0.line, $0.column) })
        if hasNewPicture, let placed = canvas.picture {
            let bytes = KittyGraphics.show(placed.picture, columns: placed.size.columns, lines: placed.size.lines)
            screen.send(bytes, line: placed.line, column: placed.column)
        }
        shown = canvas
    }

    private func hidePicture() {
        guard let placed = shown?.picture else { return }
        screen.send(KittyGraphics.hide, line: placed.line, column: placed.column)
    }
}

extension Key {
    /// - Returns: nil for input of the pointer, and for pasted text.
    init?(_ input: CursesInput) {
        switch input {
        case .character(let scalar, let hasAlt):
            if let name = Self.named[scalar] {
                self.init(.named(name), hasAlt: hasAlt)
            } else if scalar.value < 0x20 {
                let letter = Character(Unicode.Scalar(UInt8(scalar.value) + 0x40))
                self.init(.character(letter), hasControl: true, hasAlt: hasAlt)
            } else {
                self.init(.character(Character(scalar)), hasAlt: hasAlt)
            }
        case .key(let spelling): self.init(spelling: spelling)
        case .pointer, .paste: return nil
        }
    }

    private static let named: [Unicode.Scalar: Name] = [
        "\r": .enter, "\n": .enter, "\t": .tab, "\u{1B}": .escape, "\u{08}": .backspace, "\u{7F}": .backspace,
    ]
}

extension PointerEvent {
    /// - Returns: nil for input of the keyboard.
    init?(_ input: CursesInput) {
        guard case .pointer(let pointer, let line) = input, let kind = Kind(rawValue: pointer.rawValue)
        else { return nil }
        self.init(kind: kind, line: line)
    }
}
