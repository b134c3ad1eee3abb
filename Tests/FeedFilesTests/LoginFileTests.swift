import Foundation
import HTTP
import Library
import TestSupport
import Testing

struct LoginFileTests {
    private let folder: URL
    private let file: LoginFile
    private let feed = "https://premium.example/feed"

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "logins-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        file = LoginFile(folder: folder.path, credentials: nil)
    }

    private var path: String { folder.appending(path: "credentials").path }

    private func set(_ url: String, _ name: String, _ password: String) throws {
        try file.update([url]) { login in
            login.username = name
            login.password = password
        }
    }

    @Test func onlyTheUserCanReadTheFileOfLogins() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try file.read().isEmpty)
        try set(feed, "ann", "s3 \"cret\"\n")
        let login = try #require(try file.read().login(ofFeedAt: [feed]))
        expectEqual(login, FeedLogin(feed: feed, username: "ann", password: "s3 \"cret\"\n"))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        expectEqual(mode, 0o600)
    }

    @Test func commentsAndUnreadableLinesStay() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try "# mine\n{\"feed\": \"typo\n".write(toFile: path, atomically: false, encoding: .utf8)
        try set(feed, "ann", "1")
        try set(feed, "", "")
        try expectEqual(String(contentsOfFile: path, encoding: .utf8), "# mine\n{\"feed\": \"typo\n")
    }

    @Test func aLoginMovesWithItsFeedAndIsRemovedWhenEmpty() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try set(feed, "ann", "1")
        try set("https://other.example/", "bob", "2")
        let moved = "https://premium.example/new"
        try file.update([moved, feed]) { $0.password = "3" }
        try expectEqual(file.read().login(ofFeedAt: [moved]), FeedLogin(feed: moved, username: "ann", password: "3"))
        try expectEqual(file.read().login(ofFeedAt: [feed]), nil)
        try file.update([moved]) { $0 = FeedLogin(feed: moved) }
        try expectEqual(file.read().login(ofFeedAt: [moved]), nil)
        try expectEqual(file.read().login(ofFeedAt: ["https://other.example/"])?.username, "bob")
    }

    @Test func theServiceManagersFileIsReadToo() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let given = folder.appending(path: "given")
        try FileManager.default.createDirectory(at: given, withIntermediateDirectories: true)
        let text =
            "# ours\n{\"feed\":\"\(feed)\",\"username\":\"svc\",\"password\":\"p\",\"hosts\":[\"CDN.example\"]}\nnoise\n"
        try text.write(to: given.appending(path: "feeds"), atomically: true, encoding: .utf8)
        try set(feed, "ann", "1")
        let login = try LoginFile(folder: folder.path, credentials: given.path).read().login(ofFeedAt: [feed])
        #expect(login?.username == "svc" && login?.mediaHosts == ["cdn.example"])
    }

    @Test func aLoginIsSentOnlyToItsHosts() throws {
        let login = try #require(
            FeedLogin(feed: feed, username: "ann", password: "1", mediaHosts: ["cdn.example"]).requestLogin)
        for url in [feed, "https://PREMIUM.example:8443/other", "https://cdn.example/1.mp3"] {
            #expect(login.credentials(for: url) != nil, "\(url)")
        }
        for url in [
            "http://premium.example/feed", "https://evil.example/?premium.example", "https://a.premium.example/",
            "https://premium.example@evil.example/", "nonsense",
        ] { expectEqual(login.credentials(for: url), nil, "\(url)") }
        let plain = FeedLogin(feed: "http://home.example/feed", username: "ann", password: "1").requestLogin
        #expect(plain?.credentials(for: "http://home.example/1.mp3") != nil)
        expectEqual(FeedLogin(feed: feed, mediaHosts: ["cdn.example"]).requestLogin, nil)
    }
}
