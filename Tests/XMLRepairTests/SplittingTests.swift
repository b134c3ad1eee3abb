import Testing
@testable import FeedDocuments
import TestSupport

/// However the bytes arrive, the result is the same: text, places and counts.
struct SplittingTests {
    private static let zoo = """
        \u{FEFF}<?xml version="1.0" encoding="utf-8"?>\r
        junk <!DOCTYPE rss [<!ENTITY a "]>">]><!-- c --><?pi x?>\r
        <rss version="2.0" x=1 y z='&nbsp;&'>\r
        <channel>a < b & c &eacute; &#146; &#xD83D;&#xDE00; &#x41; ]]> é日🎙\u{92}\u{8}\n
        <x:t a="1"b='2' c=">"><![CDATA[<p>]] é ]]]]><![CDATA[>x\u{1}]]></x:t><title>t</titel>
        <b><i>x</b></i> Jane <j@e.org> <!-- d --> <é ü="ß">y</é> <br> &unknown; <a <c/> <a b="x <d/>
        </channel></rss> tail
        """

    private static let declared = """
        <?xml version="1.0"?>
        <!DOCTYPE a [ <!-- "' ]> --> <?pi ' ]> ?> <!ENTITY x "1 &#233; > '"><!ENTITY long_name.2 '"é"'>
        <!ENTITY nbsp "&#160;"><!ENTITY z SYSTEM "z"><!ENTITY y "&x;"> ]>
        <a b="&x;&z;" c='&long_name.2;&lt;' d="&long_name.2"><b e=&nbsp;>&x;&y;&nbsp;&long_name.2;&long_name.3;&eacute;</a>
        """

    private static let documents: [(String, [UInt8], String?)] = [
        ("zoo", Array(zoo.utf8), nil), ("cut", Array(zoo.utf8.prefix(700)), nil),
        ("declared", Array(declared.utf8), nil), ("declared and cut", Array(declared.utf8.prefix(290)), nil),
        ("unquestioned", Array("<?xml version='1.0'>\n<rss><title>x</title></rss>".utf8), nil),
        ("instructed", Array("<a>x<?xml b='1'>y<?xmlish b='>'?>z<?x".utf8), nil),
        (
            "warned", Array("<br>\n<b>Warning</b> <?xml version='1.0' encoding='iso-8859-5'?><a>".utf8) + [0xD0, 0xD1],
            nil
        ),
        ("stray", Array("<a>é".utf8) + [0xE9, 0x93, 0xF0, 0x9F] + Array("</a>".utf8), nil),
        ("latin1", Array("<a>x".utf8) + [0xE9, 0x20] + Array("y & z</a>".utf8), "iso-8859-1"),
        (
            "sjis", Array("<a b=\"".utf8) + [0x93, 0xFA] + Array("\">".utf8) + [0x96, 0x7B] + Array("&</a>".utf8),
            "sjis"
        ),
        ("colons", Array("<a:b:c x='1' y='2' x='3'>\n</a:b:c>&<b:c:1/>".utf8), nil),
        ("sjis with holes", Array("<a>& ".utf8) + [0xFF, 0x80, 0xFF] + Array("&\n&</a>".utf8), "sjis"),
        ("two marks", Array("\u{FEFF}\n\u{FEFF}<a>&</a>".utf8), nil),
        ("utf16", [0xFF, 0xFE] + "<a>é & 🎙</a>".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, nil),
    ]

    @Test(arguments: documents)
    func oneSplitChangesNothing(name: String, bytes: [UInt8], charset: String?) {
        let whole = repair(bytes, charset: charset)
        for place in 0...bytes.count {
            let split = repair(bytes, charset: charset, pieces: [place])
            expectEqual(split, whole, "\(name) split at \(place)")
        }
    }

    @Test(arguments: documents)
    func bytesOneByOneChangeNothing(name: String, bytes: [UInt8], charset: String?) {
        let drip = repair(bytes, charset: charset, pieces: Array(repeating: 1, count: bytes.count))
        expectEqual(drip, repair(bytes, charset: charset), "\(name)")
    }

    @Test(arguments: documents)
    func whatWasRepairedNeedsNoRepair(name: String, bytes: [UInt8], charset: String?) {
        let once = repair(bytes, charset: charset)
        if once.isTruncated { return }
        let twice = repair(once.text)
        expectEqual(twice.text, once.text, "\(name)")
        expectEqual(twice.told, [], "\(name)")
    }

    /// A long tag that drips in is not read from its begin with every byte.
    @Test func aLongTagThatDripsInIsReadInLinearTime() {
        let document = Array("<a b=\"\(String(repeating: "x", count: 100_000))\"/>".utf8)
        let result = repair(document, pieces: Array(repeating: 7, count: document.count / 7))
        expectEqual(result.text.utf8.count, document.count)
    }
}
