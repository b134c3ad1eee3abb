import TestSupport
import Testing

@testable import TerminalTool

struct PixelPictureTests {
    static func pixmap(_ width: Int, _ height: Int, _ pixels: [UInt8]) -> [UInt8] {
        Array("P6\n\(width) \(height)\n255\n".utf8) + pixels
    }

    @Test func aPixmapIsRead() throws {
        // The first pixels are a line feed and a space, which also end the numbers.
        let picture = try #require(PixelPicture(pixmap: Self.pixmap(2, 1, [10, 32, 10, 1, 2, 3])))
        #expect(picture.width == 2 && picture.height == 1)
        expectEqual(picture.bytes, [10, 32, 10, 1, 2, 3])
    }

    @Test(arguments: [
        "", "P6", "P6\n2 1\n255\n", "P6\n1 1\n255\nab", "P6\n1 1\n255\nabcd", "P5\n1 1\n255\nabc", "P6\n1 1\n15\nabc",
        "P6\n0 1\n255\n", "P6\n-1 -1\n255\nabc", "P6\n99999999 99999999\n255\n", "P6\n#\n1 1\n255\nabc",
        "P6\n1025 1\n255\n",
    ]) func somethingElseIsNotAPicture(_ text: String) {
        expectEqual(PixelPicture(pixmap: Array(text.utf8)), nil)
    }
}

struct GraphicsProtocolTests {
    private func picture(_ width: Int, _ height: Int, _ pixels: [UInt8]) throws -> PixelPicture {
        try #require(PixelPicture(pixmap: PixelPictureTests.pixmap(width, height, pixels)))
    }

    private func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).replacing("\u{1B}", with: "ESC")
    }

    @Test func kittyGetsPixelsInOneCommandIfTheyAreFew() throws {
        let bytes = GraphicsProtocol.kitty.show(try picture(1, 1, [1, 2, 3]), columns: 4, lines: 2)
        expectEqual(text(bytes), "ESC_Ga=T,f=24,s=1,v=1,i=7368548,p=1,c=4,r=2,C=1,q=2,m=0;AQIDESC\\")
    }

    @Test func kittyGetsManyPixelsInChunksOf4096Bytes() throws {
        let picture = try picture(64, 48, [UInt8](repeating: 7, count: 64 * 48 * 3))
        let commands = text(GraphicsProtocol.kitty.show(picture, columns: 8, lines: 3)).split(separator: "ESC\\")
        expectEqual(commands.count, 3)
        let payloads = commands.map { $0.split(separator: ";")[1] }
        #expect(payloads.allSatisfy { $0.count == 4096 })
        #expect(commands[0].contains("m=1;") && commands[1].hasPrefix("ESC_Gq=2,m=1;"))
        #expect(commands[2].hasPrefix("ESC_Gq=2,m=0;"))
    }

    @Test func kittyRemovesOnlyThisProgramsPicture() {
        expectEqual(GraphicsProtocol.kitty.hide.map(text), "ESC_Ga=d,d=I,i=7368548,q=2;ESC\\")
    }

    @Test func sixelsOfOneColourAreARun() throws {
        let white = try picture(10, 7, [UInt8](repeating: 255, count: 210))
        let bytes = GraphicsProtocol.sixel.show(white, columns: 2, lines: 1)
        expectEqual(text(bytes), "ESCP0;1;0q\"1;1;10;7#215;2;100;100;100#215!10~-#215!10@-ESC\\")
    }

    @Test func sixelsOfSeveralColoursShareABand() throws {
        // Red, black; black, blue.
        let square = try picture(2, 2, [255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255])
        let bytes = GraphicsProtocol.sixel.show(square, columns: 1, lines: 1)
        expectEqual(text(bytes), "ESCP0;1;0q\"1;1;2;2#0;2;0;0;0#5;2;0;0;100#180;2;100;0;0#0A@$#5?A$#180@-ESC\\")
    }

    @Test func aColourBetweenTwoLevelsBecomesAMixture() throws {
        let grey = try picture(60, 60, [UInt8](repeating: 128, count: 60 * 60 * 3))
        let bytes = text(GraphicsProtocol.sixel.show(grey, columns: 8, lines: 4))
        #expect(bytes.contains("#86;2;40;40;40") && bytes.contains("#129;2;60;60;60"))
    }

    @Test(arguments: [
        (["TERM": "xterm-kitty"], GraphicsProtocol?.some(.kitty)),
        (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], .kitty),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], .kitty),
        (["TERM": "xterm-ghostty"], .kitty),
        (["TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"], nil),
        (["TERM": "screen", "TERM_PROGRAM": "ghostty"], nil),
        (["TERM": "xterm-256color"], nil),
        ([:], nil),
    ]) func theEnvironmentNamesTheProtocol(_ environment: [String: String], _ expected: GraphicsProtocol?) {
        expectEqual(GraphicsProtocol.named(byEnvironment: { environment[$0] }), expected)
    }
}

struct AttributeAnswerTests {
    private func answer(_ pieces: String...) -> AttributeAnswer {
        var answer = AttributeAnswer()
        for piece in pieces { answer.receive(Array(piece.utf8)) }
        return answer
    }

    @Test func sixelsAreFoundAmongTheAttributes() {
        #expect(answer("\u{1B}[?62;4;22c").hasSixels)
        #expect(answer("\u{1B}[?62", ";4", "c").hasSixels)
        #expect(!answer("\u{1B}[?62;22c").hasSixels)
        #expect(!answer("\u{1B}[?4;6c").hasSixels, "the first number is the terminal's kind")
    }

    @Test func withoutAnAnswerNothingIsKnown() {
        expectEqual(answer("jjk").attributes, nil)
        expectEqual(answer("\u{1B}[?62;4").attributes, nil)
        expectEqual(answer("\u{1B}[?1;2R").attributes, nil)
    }

    @Test func keysAroundTheAnswerAreKept() {
        let found = answer("j", "k\u{1B}[A\u{1B}[?6c", "l")
        expectEqual(found.attributes, [6])
        expectEqual(found.typed, Array("jk\u{1B}[Al".utf8))
    }
}
