import FeedDocuments
import TestSupport
import Testing

struct SafeLinkTests {
    @Test(arguments: [
        ("https://example.org/a", "https://example.org/a"), (" HTTP://example.org\n", "HTTP://example.org"),
        ("https://example.org/a b\"<c>", "https://example.org/a%20b%22%3Cc%3E"),
        ("https://example.org/\u{7}x\u{202E}", "https://example.org/x"),
    ])
    func aWebAddressIsOneWord(written: String, url: String) {
        expectEqual(SafeLink.url(written), url)
    }

    @Test(arguments: [
        ("https://example.org/a", "https://example.org/a"), (" MailTo:a@example.org\n", "MailTo:a@example.org"),
        ("mailto:a@example.org?attach=/etc/passwd", "mailto:a@example.org"),
        ("mailto:a b@example.org?\u{301}x", "mailto:a%20b@example.org"), ("mailto:a", nil), ("mailto:?to=a@b", nil),
        ("javascript:a@b", nil),
    ])
    func aLinkOfNotesLeadsToAPageOrARecipient(written: String, target: String?) {
        expectEqual(SafeLink.target(written), target)
        if target?.hasPrefix("http") != true { expectEqual(SafeLink.url(written), nil) }
    }

    /// A control character is not a colon, although the two may differ in one bit only.
    @Test(arguments: [
        "", "example.org", "//example.org", "javascript:alert(1)", "https:/example.org", "HTTPS\u{1A}//example.org/",
        "http:\u{F}\u{F}example.org", "ht\u{0}tp://example.org",
    ])
    func everythingElseIsNone(written: String) {
        expectEqual(SafeLink.url(written), nil)
    }
}
