import PodcastModel
import Testing
import TestSupport

@Suite struct WebAddressTests {
    @Test(arguments: [
        ("http://a.example/f", true), ("HTTPS://A.example", true), ("https://a.example/a b", true),
        ("https:///path", false),
        ("ftp://a.example/", false), ("httpx://a.example/", false), ("http:a.example", false), ("", false),
        ("http://a.example/\u{7}", false), ("http://a.example/\u{2028}x", false),
        ("http://a.example/" + String(repeating: "x", count: 8 << 10), false),
    ])
    func aFeedsAddressIsAWebAddressOnOneLine(url: String, isStorable: Bool) {
        expectEqual(WebAddress.isStorable(url), isStorable)
    }

    @Test func anAddressWithASpaceCannotBeRequestedAsItIs() {
        #expect(WebAddress.isFetchable("https://a.example/1.mp3"))
        #expect(!WebAddress.isFetchable("https://a.example/a b.mp3"))
    }

    @Test(arguments: [
        ("https://User:pass@A.Example:8080/x?y#z", "a.example:8080"), ("http://[::1]/", "[::1]"), ("http://h?q", "h"),
        ("mailto:x@y", ""), ("a.example/x", ""),
    ])
    func theAuthorityIsHostAndPort(url: String, authority: String) {
        expectEqual(WebAddress.authority(of: url), authority)
    }

    @Test(arguments: [
        ("localhost", true), ("a.localhost:80", true), ("127.0.0.1:8080", true), ("[::1]:80", true),
        ("127.0.0.1.example", false),
        ("10.0.0.1", false), ("localhost.example", false),
    ])
    func loopbackIsThisMachine(authority: String, isLoopback: Bool) {
        expectEqual(WebAddress.isLoopback(authority), isLoopback)
    }

    @Test(arguments: [("a%20b", "a b"), ("%C3%A4", "ä"), ("100%", "100%"), ("%zz%4", "%zz%4"), ("%+1", "%+1")])
    func percentEscapesBecomeTheirBytes(text: String, decoded: String) {
        expectEqual(String(decoding: WebAddress.percentDecoded(text.utf8), as: UTF8.self), decoded)
    }

    @Test(arguments: [
        "http://Feeds.example/show/a:1", "https://feeds.example:443/show/a:1", "http://feeds.example:80/show/a%3A1",
        "https://feeds.example/show/a%3a1/", "HTTPS://feeds.example/%73how/a:1#top",
        "https://me:secret@feeds.example/show/a:1",
    ])
    func spellingsOfAnAddressHaveOneForm(url: String) {
        expectEqual(WebAddress.normalForm(url), WebAddress.normalForm("https://feeds.example/show/a:1"))
    }

    @Test(arguments: [
        "https://feeds.example/show/A", "https://feeds.example:8080/show/a", "https://feeds.example/show/a?x=1",
        "https://other.example/show/a", "https://feeds.example/show%2Fa", "https://feeds.example/show/a/b",
    ])
    func otherAddressesHaveOtherForms(url: String) {
        #expect(WebAddress.normalForm(url) != WebAddress.normalForm("https://feeds.example/show/a"))
    }

    @Test func aFormKeepsQueriesAndDamagedEscapes() {
        expectEqual(WebAddress.normalForm("https://a.example/x/?b=%7e%2f&c=ü"), "a.example/x?b=~%2F&c=%C3%BC")
        expectEqual(WebAddress.normalForm("https://a.example/100%/%zz%"), "a.example/100%/%ZZ%")
        expectEqual(WebAddress.normalForm("nothing"), "")
    }

    @Test func addressesAreRecognisedWithoutWhatPeopleOmit() {
        expectEqual(WebAddress.essence("https://www.A.example/"), "a.example")
        expectEqual(WebAddress.essence("http://a.example/x"), "a.example/x")
    }
}

@Suite struct StandardFoldersTests {
    @Test func withoutVariablesTheyAreBelowHome() {
        let folders = StandardFolders { ["HOME": "/home/ann"][$0] }
        expectEqual(folders.data, "/home/ann/.local/share/podcastd")
        expectEqual(folders.cache, "/home/ann/.cache/podcastd")
        expectEqual(folders.configFile, "/home/ann/.config/podcastd/podcastd.conf")
        expectEqual(folders.socket, nil)
    }

    @Test func variablesWithAbsolutePathsWin() {
        let variables = [
            "HOME": "/h", "XDG_DATA_HOME": "/d", "XDG_CACHE_HOME": "relative", "XDG_RUNTIME_DIR": "/run/user/1",
        ]
        let folders = StandardFolders { variables[$0] }
        expectEqual(folders.data, "/d/podcastd")
        expectEqual(folders.cache, "/h/.cache/podcastd")
        expectEqual(folders.socket, "/run/user/1/podcastd/control")
    }
}

@Suite struct Base64Tests {
    @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")])
    func bytesAndTextAreEachOthersForm(bytes: String, text: String) {
        expectEqual(Base64.text(of: Array(bytes.utf8)), text)
        expectEqual(Base64.bytes(of: text), Array(bytes.utf8))
    }

    @Test(arguments: ["Zg", "Zg=", "Zh==", "Z===", "Zm9v\n", "Zm-_", "ä==="])
    func aTextInAnotherFormIsRejected(text: String) {
        expectEqual(Base64.bytes(of: text), nil)
    }

    @Test func textFromFeedsNeedsNoPaddingAndMayHaveSpaces() {
        expectEqual(Base64.decode(" Zm9\n v Yg ".utf8), Array("foob".utf8))
        expectEqual(Base64.decode("-_-_".utf8), Base64.decode("+/+/".utf8))
        expectEqual(Base64.decode("Zm9v!".utf8), nil)
    }
}
