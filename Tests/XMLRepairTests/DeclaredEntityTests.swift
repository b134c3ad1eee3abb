import Testing
import XMLRepair
import TestSupport

/// What a document's own DOCTYPE declares is put in where it is referred to, as long as it is text.
struct DeclaredEntityTests {
    private func repair(_ subset: String, _ content: String, limits: XMLRepairLimits = XMLRepairLimits()) -> Repaired {
        XMLRepairTests.repair(Array("<!DOCTYPE a [\(subset)]><a>\(content)</a>".utf8), limits: limits)
    }

    @Test(arguments: [
        ("<!ENTITY x \"y\">", "&x;&x;", "yy"),
        ("<!ENTITY\n x\t'say \"y\"' >", "&x;", "say &quot;y&quot;"),
        ("<!ENTITY x \"\">", "-&x;-", "--"),
        ("<!ENTITY a-b.c_1 \"y\"><!ENTITY été \"z\">", "&a-b.c_1;&été;", "yz"),
        ("<!ENTITY x \"&#233;&lt;&amp;&eacute;&#146;\">", "&x;", "&#233;&lt;&amp;é’"),
        ("<!ENTITY x \"日本\">", "&x;", "日本"),
        ("<!ENTITY x \"a]]>b\">", "&x;", "a]]&gt;b"),
        ("<!-- don't ]> <!ENTITY x \"z\"> --><?pi don't ]> ?><!ENTITY x \"y ]> z\">", "&x;", "y ]&gt; z"),
        ("<!ENTITY x \"first\"><!ENTITY x \"second\">", "&x;", "first"),
        ("<!ENTITY nbsp \"&#160;\"><!ENTITY copy \"(c)\">", "&nbsp;&copy;&eacute;", "&#160;(c)é"),
        ("<!ENTITY % p \"q\"><!ATTLIST a b CDATA 'c'><!ENTITY x \"y\">", "&x;", "y"),
    ])
    func aDeclaredTextIsPutIn(subset: String, content: String, expected: String) {
        expectEqual(repair(subset, content).text, "<a>\(expected)</a>")
    }

    @Test func itIsNoRepair() {
        expectEqual(repair("<!ENTITY x \"y\">", "&x;<b c=\"&x;\"/>").count, 0)
    }

    @Test func attributesHaveThemToo() {
        let result = repair(
            "<!ENTITY x 'say \"y\" > z'><!ENTITY u \"urn:u\">", "<b xmlns:u=\"&u;\" c='1&x;2'><u:d/></b>")
        expectEqual(result.text, "<a><b xmlns:u=\"urn:u\" c=\"1say &quot;y&quot; &gt; z2\"><u:d/></b></a>")
        expectEqual(result.told, [])
    }

    /// Entities that XML itself declares cannot be declared again. An entity whose value contains a reference, markup or bytes that are not
    /// text stays unknown.
    @Test(arguments: [
        ("<!ENTITY lt \"x\"><!ENTITY amp \"x\"><!ENTITY quot \"x\">", "&lt;&amp;&quot;", "&lt;&amp;&quot;"),
        ("<!ENTITY y \"z\"><!ENTITY x \"&y;\">", "&x;", "&amp;x;"),
        ("<!ENTITY x \"&x;\">", "&x;", "&amp;x;"),
        ("<!ENTITY x \"<b>y</b>\">", "&x;", "&amp;x;"),
        ("<!ENTITY % p \"q\"><!ENTITY x \"%p;\">", "&x;%p;", "&amp;x;%p;"),
        ("<!ENTITY x SYSTEM \"file:///etc/passwd\"><!ENTITY y PUBLIC \"p\" \"q\">", "&x;&y;", "&amp;x;&amp;y;"),
        ("<!ENTITY x \"a\u{1}b\"><!ENTITY y \"&#0;\">", "&x;&y;", "&amp;x;&amp;y;"),
        ("<!ENTITY nbsp SYSTEM \"x\">", "&nbsp;", "\u{A0}"),
        ("<!ENTITY x \"y\">", "&x &xx; <![CDATA[&x;]]>", "&amp;x &amp;xx; &amp;x;"),
    ])
    func whatIsNotTextStaysUnknown(subset: String, content: String, expected: String) {
        expectEqual(repair(subset, content).text, "<a>\(expected)</a>")
    }

    @Test func theirNumberAndLengthAreBounded() {
        var limits = XMLRepairLimits()
        (limits.entities, limits.entityBytes) = (2, 16)
        let subset = "<!ENTITY l \"long\"><!ENTITY a \"1\"><!ENTITY b \"2\"><!ENTITY c \"3\">"
        expectEqual(repair(subset, "&l;&a;&b;&c;", limits: limits).text, "<a>&amp;l;12&amp;c;</a>")
    }

    @Test func whatReferencesPutInIsBounded() {
        var limits = XMLRepairLimits()
        limits.expandedBytes = 10
        let text = repair("<!ENTITY x \"1234\">", "&x;<b c=\"&x;\" d=\"&x;\"/>&x;", limits: limits).text
        expectEqual(text, "<a>1234<b c=\"1234\" d=\"&amp;x;\"/>&amp;x;</a>")
    }
}
