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

struct KittyGraphicsTests {
    private func picture(_ width: Int, _ height: Int, _ pixels: [UInt8]) throws -> PixelPicture {
        try #require(PixelPicture(pixmap: PixelPictureTests.pixmap(width, height, pixels)))
    }

    private func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).replacing("\u{1B}", with: "ESC")
    }

    @Test func kittyGetsPixelsInOneCommandIfTheyAreFew() throws {
        let bytes = KittyGraphics.show(try picture(1, 1, [1, 2, 3]), columns: 4, lines: 2)
        expectEqual(text(bytes), "ESC_Ga=T,f=24,s=1,v=1,i=7368548,p=1,c=4,r=2,C=1,q=2,m=0;AQIDESC\\")
    }

    @Test func kittyGetsManyPixelsInChunksOf4096Bytes() throws {
        let picture = try picture(64, 48, [UInt8](repeating: 7, count: 64 * 48 * 3))
        let commands = text(KittyGraphics.show(picture, columns: 8, lines: 3)).split(separator: "ESC\\")
        expectEqual(commands.count, 3)
        let payloads = commands.map { $0.split(separator: ";")[1] }
        #expect(payloads.allSatisfy { $0.count == 4096 })
        #expect(commands[0].contains("m=1;") && commands[1].hasPrefix("ESC_Gq=2,m=1;"))
        #expect(commands[2].hasPrefix("ESC_Gq=2,m=0;"))
    }

    @Test func kittyRemovesOnlyThisProgramsPicture() {
        expectEqual(text(KittyGraphics.hide), "ESC_Ga=d,d=I,i=7368548,q=2;ESC\\")
    }

    @Test(arguments: [
        (["TERM": "xterm-kitty"], true), (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], true),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], true), (["TERM": "xterm-ghostty"], true),
        (["TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"], false),
        (["TERM": "screen", "TERM_PROGRAM": "ghostty"], false), (["TERM": "xterm-256color"], false), ([:], false),
    ]) func theEnvironmentNamesATerminalWithPictures(_ environment: [String: String], _ expected: Bool) {
        expectEqual(KittyGraphics.isUsed(.automatic) { environment[$0] }, expected)
    }

    @Test func theChoiceIsStrongerThanTheEnvironment() {
        #expect(KittyGraphics.isUsed(.kitty) { _ in nil })
        #expect(!KittyGraphics.isUsed(.off) { _ in "xterm-kitty" })
    }
}
