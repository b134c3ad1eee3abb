import Testing
@testable import FeedDocuments
import TestSupport

struct MarkupRepairTests {
    private func expectRepaired(_ text: String, _ expected: String) {
        let result = repair(text)
        expectEqual(result.text, expected)
        #expect(result.count > 0)
    }

    @Test(arguments: [
        "<a/>", "<a>text</a>", "<a b=\"c\" d='e'>\n<f:g xmlns:f=\"urn:f\"/>\n</a>", "<a>&lt;&#8217;&#x1F600;&amp;</a>",
        "<a><![CDATA[<b> & ]] > ]]></a>", "<a b=\"x &amp; y > z\">é 日本 🎙</a>", "<é ü=\"1\">x</é>",
        "<a b = \"1\"></a >",
    ])
    func wellFormedTextIsNotRepaired(text: String) {
        let result = repair(text)
        expectEqual(result.count, 0, "\(result.told)")
        #expect(!result.isTruncated)
    }

    @Test func wellFormedTextComesOutAsItWentIn() {
        let text = "<a b=\"c\">x &amp; y<d/>é</a>"
        expectEqual(repair(text).text, text)
        expectEqual(repair("<a>x<![CDATA[<b> ]]&]]><![CDATA[]]>y</a>").text, "<a>x&lt;b&gt; ]]&amp;y</a>")
    }

    @Test func whatNoReaderNeedsIsLeftOutWithoutBeingARepair() {
        let text =
            "<?xml version=\"1.0\"?><!-- c > --><!DOCTYPE a SYSTEM \"a.dtd\"><a>x<!-- <b> -->y<?php echo \">\" ?>z</a><!-- e -->"
        let result = repair(text)
        expectEqual(result.text, "<a>xyz</a>")
        expectEqual(result.count, 0)
    }

    @Test(arguments: [
        ("<a>AT&T & you</a>", "<a>AT&amp;T &amp; you</a>"),
        ("<a>a < b <3 <- x</a>", "<a>a &lt; b &lt;3 &lt;- x</a>"),
        ("<a>Jane <jane@example.com></a>", "<a>Jane &lt;jane@example.com></a>"),
        ("<a><http://example.com/></a>", "<a>&lt;http://example.com/></a>"),
        ("<a>x <b and c</a>", "<a>x &lt;b and c</a>"),
        ("<a>&nbsp;&eacute;&hellip;</a>", "<a>\u{A0}é…</a>"),
        ("<!DOCTYPE a [<!ENTITY x \"y\"><!-- ]> -->]><a b=\"&x;\">&x;</a>", "<a b=\"&amp;x;\">&amp;x;</a>"),
        ("<a>&LT;&AMP;</a>", "<a>&lt;&amp;</a>"),
        ("<a>&unknown; &copy 2020</a>", "<a>&amp;unknown; &amp;copy 2020</a>"),
        ("<a>&#146;&#x93;</a>", "<a>’“</a>"),
        ("<a>&#8217 x</a>", "<a>’ x</a>"),
        ("<a>&#X41;</a>", "<a>A</a>"),
        ("<a>&#0;&#xD800;&#xFFFF;&#x110000;</a>", "<a></a>"),
        ("<a>&#xD83D;&#xDE00;</a>", "<a>😀</a>"),
        ("<a>x ]]> y</a>", "<a>x ]]&gt; y</a>"),
        ("<a>x\u{0}\u{8}\u{B}\u{1F}\u{FFFF}y</a>", "<a>xy</a>"),
        ("<a>don\u{92}t</a>", "<a>don’t</a>"),
    ])
    func textIsEscaped(text: String, expected: String) {
        expectRepaired(text, expected)
    }

    @Test(arguments: [
        ("<a b=1 c=x/y>z</a>", "<a b=\"1\" c=\"x/y\">z</a>"),
        ("<a b=\"1\"c=\"2\"/>", "<a b=\"1\" c=\"2\"/>"),
        ("<a b c=\"2\" xmlns/>", "<a  c=\"2\" />"),
        ("<a b=\"x & y &nbsp; < z\"/>", "<a b=\"x &amp; y \u{A0} &lt; z\"/>"),
        ("<a b=\"?x=1&y=2\"/>", "<a b=\"?x=1&amp;y=2\"/>"),
        ("<a b='\"'c='1'/>", "<a b='\"' c='1'/>"),
        ("<a b=\"1\" <c/></a>", "<a b=\"1\" ><c/></a>"),
        ("<a ,b=\"1\" = c=\"2\">x</a>", "<a  b=\"1\"  c=\"2\">x</a>"),
        ("<a b=\"x\u{8}y\"/>", "<a b=\"xy\"/>"),
    ])
    func tagsAreWrittenAnew(text: String, expected: String) {
        expectRepaired(text, expected)
    }

    @Test(arguments: [
        ("<a><b>x</a>", "<a><b>x</b></a>"),
        ("<a><b><c>x</b></a>", "<a><b><c>x</c></b></a>"),
        ("<a>x</b></a>", "<a>x</a>"),
        ("<a><b>x</b y=\"1\"></a>", "<a><b>x</b></a>"),
        ("<a><b>x</b<c/></a>", "<a><b>x</b><c/></a>"),
    ])
    func endTagsCloseWhatTheyMean(text: String, expected: String) {
        expectRepaired(text, expected)
    }

    @Test(arguments: [
        ("<r><a:b:01>x</a:b:01></r>", "<r>&lt;a:b:01>x</r>"), ("<r><é:ü:ö/></r>", "<r>&lt;é:ü:ö/></r>"),
        ("<r b:c:d=\"1\" e=\"2\"/>", "<r  :d=\"1\" e=\"2\"/>"),
    ])
    func aNameHasOneColonAtMost(text: String, expected: String) {
        expectRepaired(text, expected)
    }

    @Test func aTagOrCommentThatBreaksOffIsRemoved() {
        for text in ["<a><b>x", "<a><b>x</b", "<a><b>x<!-- c", "<a><b>x<c d=\"e", "<a><b>x<"] {
            let result = repair(text)
            expectEqual(result.text, "<a><b>x", "\(text)")
            expectEqual(result.told.map { $0.drop { $0 != " " } }, [" the document breaks off in <b>"])
            #expect(result.isTruncated)
        }
        expectEqual(repair("<a><![CDATA[x").text, "<a>x")
    }

    @Test func placesAreThoseOfTheOriginal() {
        let text = "<?xml version=\"1.0\"?>\n<!-- a\nb -->\n<a>\r\n  x & y\r\n<b c=1/>é & &nbsp;\n</a>"
        expectEqual(
            repair(text).told,
            [
                "5:5 escaped a bare \"&\"", "6:6 quoted an attribute's value", "6:12 escaped a bare \"&\"",
                "6:14 replaced an HTML entity",
            ])
    }

    @Test func repairsBeyondTheLimitAreOnlyCounted() {
        var limits = XMLRepairLimits()
        limits.repairs = 3
        let result = repair(
            Array("<a>\(String(repeating: "& ", count: 50))<b c=\"\(String(repeating: "&", count: 50))\"/></a>".utf8),
            limits: limits)
        expectEqual([result.repairs.count, result.count], [3, 100])
    }

    @Test func deepTagsGoAndTheirTextStays() {
        var limits = XMLRepairLimits()
        limits.depth = 3
        let result = repair(Array("<a><b><c><d>x<e/></d></c></b></a>".utf8), limits: limits)
        expectEqual(result.text, "<a><b><c>x</c></b></a>")
        #expect(!result.isTruncated)
    }

    @Test func surplusAttributesGo() {
        var limits = XMLRepairLimits()
        limits.attributes = 2
        expectEqual(
            repair(Array("<a b=\"1\" c=\"2\" d=\"3\" e=\"4\"/>".utf8), limits: limits).text, "<a b=\"1\" c=\"2\"  />")
    }

    @Test func onlyAttributesBeyondTheLimitAreRemoved() {
        let names = (0..<300).map { "a\($0)=\"\"" }
        let result = repair("<a " + names.joined(separator: " ") + "/>")
        let blanks = String(repeating: " ", count: 100)
        expectEqual(result.text, "<a " + names.prefix(200).joined(separator: " ") + blanks + "/>")
        expectEqual(result.told.map { $0.drop { $0 != " " } }, [" removed the attributes beyond 200"])
    }

    @Test func namespacesBeyondTheLimitOfOpenElementsAreNotDeclared() {
        var limits = XMLRepairLimits()
        limits.namespaces = 2
        let result = repair(
            Array("<a xmlns='u' xmlns:b='v'><b:c xmlns:d='w' e='f'><d:g/></b:c></a>".utf8), limits: limits)
        expectEqual(result.text, "<a xmlns='u' xmlns:b='v'><b:c  e='f'><d:g/></b:c></a>")
        expectEqual(result.told, ["1:31 removed a namespace declaration beyond 2"])
        let siblings = "<a xmlns='u'><b:c xmlns:b='v'/><b:d xmlns:b='v'></b:d><b:e xmlns:b='v'/></a>"
        expectEqual(repair(Array(siblings.utf8), limits: limits).text, siblings)
    }

    @Test func anOversizedTagGoes() {
        var limits = XMLRepairLimits()
        limits.tagBytes = 1000
        let long = String(repeating: "x", count: 200_000)
        let result = repair(Array("<a><b c=\"\(long)\">y</b>z</a>".utf8), limits: limits, pieces: [5000, 5000])
        expectEqual(result.text, "<a>yz</a>")
    }

    // MARK: Before and behind the root

    @Test func whatStandsBeforeTheRootGoes() {
        let result = repair("<br />\n<b>Warning</b>: x\n<?xml version=\"1.0\"?><RSS>x</RSS>", roots: ["rss"])
        expectEqual(result.text, "<RSS>x</RSS>")
        expectEqual(result.told, ["1:1 removed text before the document"])
    }

    @Test func blanksAndAMarkBeforeTheRootAreNoRepair() {
        #expect(repair([0xEF, 0xBB, 0xBF] + Array("\n\n<a>x</a>".utf8)).told.isEmpty)
    }

    @Test func whatFollowsTheRootGoes() {
        expectEqual(repair("<a>x</a>\n<!-- c --> ").count, 0)
        let result = repair("<a>x</a>\n<a>y</a>")
        expectEqual(result.text, "<a>x</a>")
    }

    @Test func whatOnlyLooksLikeTheRootIsNotIt() {
        let result = repair("<rss@example.com> <rss,x <rss>y</rss>", roots: ["rss"])
        expectEqual(result.text, "<rss>y</rss>")
        expectEqual(repair("<rss@example.com>", roots: ["rss"]).text, "")
    }

    @Test func aForeignRootIsTold() {
        let result = repair("<?xml version=\"1.0\"?><opml><head/></opml>", roots: ["rss"])
        expectEqual([result.text, result.foreignRoot], ["", "opml"])
    }

    @Test func aWebPageEndsTheSearchForARoot() {
        expectEqual(repair("<!DOCTYPE html><html><body><rss></rss></body></html>", roots: ["rss"]).text, "")
    }
}
