import Testing
@testable import FeedDocuments
import TestSupport

struct CharsetTests {
    private func utf16(_ text: String, bigEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { bigEndian ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }

    @Test func aByteOrderMarkDecides() {
        let text = "<?xml version=\"1.0\" encoding=\"utf-8\"?><a>é日🎙</a>"
        expectEqual(repair([0xFF, 0xFE] + utf16(text, bigEndian: false), charset: "windows-1251").text, "<a>é日🎙</a>")
        expectEqual(repair([0xFE, 0xFF] + utf16(text, bigEndian: true)).text, "<a>é日🎙</a>")
        expectEqual(repair([0xEF, 0xBB, 0xBF] + Array("<a>é</a>".utf8), charset: "windows-1251").text, "<a>é</a>")
    }

    @Test func widerUnitsShowWithoutAMark() {
        expectEqual(repair(utf16("<a>é</a>", bigEndian: false)).text, "<a>é</a>")
        expectEqual(repair(utf16("<a>é</a>", bigEndian: true)).text, "<a>é</a>")
        let wide = "<a>é</a>".unicodeScalars.flatMap { [0, 0, 0, UInt8($0.value)] as [UInt8] }
        expectEqual(repair(wide).text, "<a>é</a>")
    }

    @Test func theHeaderBeatsTheDeclaration() {
        let bytes = Array("<?xml version=\"1.0\" encoding=\"koi8-r\"?><a>".utf8) + [0xCF, 0xF0] + Array("</a>".utf8)
        expectEqual(repair(bytes, charset: "windows-1251").text, "<a>Пр</a>")
        expectEqual(repair(bytes).text, "<a>оП</a>")
    }

    @Test(arguments: [
        ("Shift_JIS", [0x93, 0xFA, 0x96, 0x7B] as [UInt8], "日本"), ("EUC-JP", [0xC6, 0xFC, 0xCB, 0xDC], "日本"),
        ("gb2312", [0xD6, 0xD0], "中"), ("Big5", [0xA4, 0xA4], "中"), ("euc-kr", [0xC7, 0xD1], "한"),
        ("ISO-8859-2", [0xB1], "ą"), ("ISO_8859-2:1987", [0xB1], "ą"), ("hebrew", [0xE0], "א"), ("cp1254", [0xFE], "ş"),
        ("TIS-620", [0xA1], "ก"), ("iso-8859-1", [0x93, 0xE9], "“é"), ("us-ascii", [0xE9], "é"),
    ])
    func declaredCharsetsAreRead(label: String, bytes: [UInt8], expected: String) {
        let document = Array("<?xml version='1.0' encoding='\(label)'?><a>".utf8) + bytes + Array("</a>".utf8)
        let result = repair(document)
        expectEqual(result.text, "<a>\(expected)</a>")
        expectEqual(result.count, 0)
    }

    @Test func strayBytesAreWindows1252() {
        let result = repair(Array("<a>é ".utf8) + [0x93, 0xE9, 0x94] + Array("</a>".utf8))
        expectEqual([result.text, result.told.first], ["<a>é “é”</a>", "1:7 read an invalid byte as Windows-1252"])
    }

    @Test func latin1ThatIsUTF8IsReadAsUTF8() {
        let result = repair("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>é</a>")
        expectEqual(result.text, "<a>é</a>")
    }

    @Test func latin1StaysLatin1OnceItHasShown() {
        let bytes = Array("<a>".utf8) + [0xE9, 0x20, 0xC9, 0xA0] + Array("</a>".utf8)
        expectEqual(repair(bytes, charset: "iso-8859-1").text, "<a>é É\u{A0}</a>")
    }

    @Test func aServerThatSaysUTF8OfEverythingIsNotBelievedOverTheDeclaration() {
        let bytes =
            Array("<?xml version=\"1.0\" encoding=\"windows-1251\"?><a>".utf8) + [0xCF, 0xF0] + Array("</a>".utf8)
        expectEqual(repair(bytes, charset: "utf-8").text, "<a>Пр</a>")
    }

    @Test(arguments: ["none", "unicode", "utf-16", "x-nonsense", "../../etc/passwd", ""])
    func labelsThatCannotBeMeanUTF8(label: String) {
        expectEqual(repair("<?xml version=\"1.0\" encoding=\"\(label)\"?><a>é</a>").text, "<a>é</a>")
        expectEqual(repair("<a>é</a>", charset: label).text, "<a>é</a>")
    }

    @Test func columnsAreThoseOfUTF8() {
        let bytes = Array("<a>\n".utf8) + [0xCF, 0xF0] + Array(" & </a>".utf8)
        expectEqual(repair(bytes, charset: "windows-1251").told, ["2:6 escaped a bare \"&\""])
    }
}
