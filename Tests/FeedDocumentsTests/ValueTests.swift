import FeedDocuments
import PodcastModel
import TestSupport
import Testing

struct DateTests {
    private func published(_ text: String) throws -> String? {
        try item("<pubDate>\(text)</pubDate>").published?.description
    }

    @Test(arguments: [
        ("Mon, 06 Jan 2025 09:30:00 GMT", "2025-01-06T09:30:00Z"),
        ("Mon, 06 Jan 2025 09:30:00 +0530", "2025-01-06T04:00:00Z"),
        ("Fri, 06 Jan 2025 09:30:00 -0800", "2025-01-06T17:30:00Z"),
        ("6 Jan 25 9:30 EST", "2025-01-06T14:30:00Z"),
        ("6 Jan 25 9:30 ET", "2025-01-06T14:30:00Z"), ("6 Jan 25 9:30 CT", "2025-01-06T15:30:00Z"),
        ("6 Jan 25 9:30 MT", "2025-01-06T16:30:00Z"), ("6 Jan 25 9:30 PT", "2025-01-06T17:30:00Z"),
        ("Mon, 6 January 2025 09:30:00 CEST", "2025-01-06T07:30:00Z"),
        ("Mon, 06-Jan-2025 09:30:00 GMT-01:00", "2025-01-06T10:30:00Z"),
        ("Mon, 06 Jan, 2025 09:30:00 Z (UTC)", "2025-01-06T09:30:00Z"),
        ("Mon Jan  6 09:30:00 2025", "2025-01-06T09:30:00Z"),
        ("Mon Jan 06 09:30:00 PST 2025", "2025-01-06T17:30:00Z"),
        ("Mon Jan 06 2025 09:30:00 +0200", "2025-01-06T07:30:00Z"),
        ("January 6, 2025", "2025-01-06T00:00:00Z"), ("Jan 6th 2025 at 9:30 pm", "2025-01-06T21:30:00Z"),
        ("Montag, 06. Januar 2025 09:30:00 +0100", "2025-01-06T08:30:00Z"),
        ("mar., 07 janv. 2025 09:30:00 +0000", "2025-01-07T09:30:00Z"),
        ("Mon, 06 Jan 2025 09.30.00 +0000", "2025-01-06T09:30:00Z"),
        ("Mon, 31 Dec 1999 23:59:60 GMT", "2000-01-01T00:00:00Z"),
        ("29 Feb 2024 24:00:00 GMT", "2024-03-01T00:00:00Z"),
        ("2025-01-06T09:30:00Z", "2025-01-06T09:30:00Z"), ("2025-01-06T09:30:00.123456-08:00", "2025-01-06T17:30:00Z"),
        ("2025-01-06T09:30+02", "2025-01-06T07:30:00Z"), ("2025-01-06 09:30:00 +0000", "2025-01-06T09:30:00Z"),
        ("2025-01-06", "2025-01-06T00:00:00Z"), ("2025-01", "2025-01-01T00:00:00Z"), ("2025", "2025-01-01T00:00:00Z"),
        ("20250106T093000Z", "2025-01-06T09:30:00Z"), ("2025/01/06 09:30", "2025-01-06T09:30:00Z"),
        ("01/06/2025 09:30:00", "2025-01-06T09:30:00Z"), ("16/01/2025", "2025-01-16T00:00:00Z"),
        ("06.01.2025 09:30", "2025-01-06T09:30:00Z"), ("1736155800", "2025-01-06T09:30:00Z"),
        ("1736155800000", "2025-01-06T09:30:00Z"), ("2025-006", "2025-01-06T00:00:00Z"),
        ("2024-366T09:30:00Z", "2024-12-31T09:30:00Z"), ("Пн, 06 янв 2025 09:30:00 +0300", "2025-01-06T06:30:00Z"),
        ("6 января 2025", "2025-01-06T00:00:00Z"), ("6 października 2025 09:30", "2025-10-06T09:30:00Z"),
        ("06 maj 2025 09:30:00 +0200", "2025-05-06T07:30:00Z"),
        ("Mon, 06 Jan 2025 09:30:00 +9999", "2025-01-06T09:30:00Z"),
        ("Thu, 01 Jan 1970 00:00:00 GMT", "1970-01-01T00:00:00Z"),
        ("Mon, 06 Jan 2025 34:50:00 GMT", "2025-01-06T00:00:00Z"), ("06 Jan 2025 09:61:00 GMT", "2025-01-06T00:00:00Z"),
        ("31 Feb 2025 09:30:00 GMT", "2025-03-03T09:30:00Z"), ("2025-02-30", "2025-03-02T00:00:00Z"),
        ("Mon, 06 Jan 0025 09:30:00 GMT", "2025-01-06T09:30:00Z"), ("0097-01-06", "1997-01-06T00:00:00Z"),
        ("Mon, 06 Jan 2025 09:30:00 America/New_York", "2025-01-06T14:30:00Z"),
        ("2025-07-06 09:30 America/Los_Angeles", "2025-07-06T16:30:00Z"),
        ("06 Jul 2025 09:30:00 Europe/Berlin", "2025-07-06T07:30:00Z"),
        ("06 Jul 2025 09:30:00 Asia/Kolkata", "2025-07-06T04:00:00Z"),
    ])
    func datesAreReadInEveryForm(text: String, expected: String) throws {
        try expectEqual(published(text), expected)
    }

    @Test(arguments: [
        "", "unknown", "Invalid Date", "%a, %d %b %Y", "0000-00-00 00:00:00", "Mon, 99 Jan 2025 09:30:00 GMT",
        "06 Jan 20250 09:30:00", "06 zzz 2025 09:30:00", "2025-xx-06", "2025-W01-5",
        "2025-366", "2025-000", "-03-12",
        "12345", "2004년 05월 28일",
    ])
    func invalidDatesAreRejected(text: String) throws {
        try expectEqual(published(text), nil)
    }

    @Test func anInvalidDateIsReplacedByAValidOne() throws {
        let item = try item("<pubDate>soon</pubDate><dc:date>2025-01-06</dc:date>")
        expectEqual(item.published?.description, "2025-01-06T00:00:00Z")
    }
}

struct DurationTests {
    @Test(arguments: [
        ("45", 45), ("3600", 3600), ("123.45", 123.45), ("0:45", 45), ("90:00", 5400), ("1:02:03", 3723),
        ("01:02:03.500", 3723.5), ("100:00:00", 360_000), (" 1 : 02 ", 62), ("+90", 90), ("90 min", 5400),
        ("1h 2m 3s", 3723), ("1 hr, 30 mins", 5400), ("PT1H2M3S", 3723), ("3600s", 3600), (":30", 30),
        ("1h02", 3720), ("1h 02m 03", 3723), ("1h02min", 3720), ("62:03 min", 3723), ("1:02:03 h", 3723),
        ("62'03\"", 3723),
        ("62'", 3720), ("P0DT1H2M", 3720), ("P1D", 86_400), ("1 day, 2 hours", 93_600),
        ("3,600", 3600), ("10,800", 10_800), ("1,5", 1.5), ("٠١:٠٢:٠٣", 3723), ("۹۰", 90),
    ])
    func durationsAreReadInEveryForm(text: String, seconds: Double) throws {
        try expectEqual(item("<itunes:duration>\(text)</itunes:duration>").duration, MediaTime(seconds: seconds))
    }

    @Test(arguments: [
        "", "0", "00:00:00", "unknown", "N/A", "NaN", "-1:00:00", "1;02;03", "0x10", "1:2:3:4", "99999999999999999999",
        "1e999", "1.2.3", "infinity", "PT", "::x", "1:02 pm",
    ])
    func invalidDurationsAreRejected(text: String) throws {
        try expectEqual(item("<itunes:duration>\(text)</itunes:duration>").duration, nil)
    }
}

struct URLTests {
    /// RFC 3986 section 5.4, against its own base.
    @Test(arguments: [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"),
        ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
        ("g#s", "http://a/b/c/g#s"), (";x", "http://a/b/c/;x"), (".", "http://a/b/c/"), ("..", "http://a/b/"),
        ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
        ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"),
        ("./../g", "http://a/b/g"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
        ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
    ])
    func referencesAreResolved(reference: String, expected: String) throws {
        try expectEqual(item("<link>\(reference)</link>", base: "http://a/b/c/d;p?q").facts.link, expected)
    }

    @Test(arguments: [
        (" https://e.com/a b.mp3 ", "https://e.com/a%20b.mp3"), ("https://e.com/a\nb.mp3", "https://e.com/ab.mp3"),
        ("https://e.com/ё.mp3?x=é", "https://e.com/%D1%91.mp3?x=%C3%A9"),
        ("https://müller.de/é", "https://müller.de/%C3%A9"),
        ("https://e.com/a[1]|x.mp3", "https://e.com/a[1]|x.mp3"),
        ("https://e.com/%20%D0%9F", "https://e.com/%20%D0%9F"),
        ("HTTPS://E.com/x", "HTTPS://E.com/x"), ("https://u:p@e.com:8443/a", "https://u:p@e.com:8443/a"),
    ])
    func urlsAreMended(text: String, expected: String) throws {
        try expectEqual(item("<link>\(text)</link>").facts.link, expected)
    }

    @Test func anXMLBaseAppliesToItsElementOnly() throws {
        let contents = try parse(
            """
            <rss xml:base="/r/"><channel><item xml:base="https://o.example/i/"><link>x</link></item>
            <item><link>x</link></item></channel></rss>
            """
        ).contents
        expectEqual(contents.items.map(\.facts.link), ["https://o.example/i/x", "https://example.com/r/x"])
    }

    @Test(
        arguments: [
            ("123", 123), (" 5368709120 ", 5_368_709_120), ("0", nil), ("-1", nil), ("12 MB", nil), ("1.5", nil),
            ("99999999999999999999", nil), ("", nil),
        ] as [(String, Int64?)])
    func onlyABareNumberIsALength(text: String, expected: Int64?) throws {
        try expectEqual(item("<enclosure url=\"a\" length=\"\(text)\"/>").enclosures[0].length, expected)
    }

    @Test func theFirstOfRepeatedAttributesIsRead() throws {
        let enclosures = try item(
            "<enclosure url=\"https://e.com/a.mp3\" type=\"audio/mpeg\" url=\"https://e.com/b.mp3\"/>"
        )
        .enclosures
        expectEqual(enclosures, [Enclosure(url: "https://e.com/a.mp3", type: "audio/mpeg")])
    }

    @Test(arguments: ["href", "uri", "URL", "Href"])
    func anEnclosuresURLMayHaveOtherAttributeNames(name: String) throws {
        let enclosures = try item("<enclosure \(name)=\"https://e.com/a.mp3\" TYPE=\"audio/mpeg\" Length=\"5\"/>")
            .enclosures
        expectEqual(enclosures, [Enclosure(url: "https://e.com/a.mp3", type: "audio/mpeg", length: 5)])
    }
}
