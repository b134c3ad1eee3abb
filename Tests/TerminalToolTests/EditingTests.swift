import ControlLanguage
import ControlProtocol
import JSON
import PodcastModel
import TestSupport
import Testing

@testable import TerminalTool

/// Lists and details that are changed where they are shown.
@Suite struct EditingTests {
    @Test func anEntryIsMovedByKeysAndOnlyWhenItIsPutDown() {
        let window = SampleWindow()
        window.press("m j j")
        #expect(!window.daemon.asked.contains { $0.hasPrefix("queue.move") })
        expectEqual(window.lines[0], "Queue (4)  [move]")
        window.press("m")
        expectContains(window.daemon.asked, "queue.move {\"from\":\"#1\",\"to\":3}")
    }

    @Test func anEntryStaysInHandWhileARowChanges() {
        let window = SampleWindow()
        window.press("m j")
        window.change(.episodes, rows: [299])
        window.change(.player, SampleWindow.playing)
        expectEqual(window.lines[0], "Queue (4)  [move]")
        window.press("j m")
        expectContains(window.daemon.asked, "queue.move {\"from\":\"#1\",\"to\":3}")
    }

    @Test func anEntryIsDraggedByThePointer() {
        let window = SampleWindow()
        _ = window.text
        window.window.handle(PointerEvent(kind: .press, line: 3))
        window.window.handle(PointerEvent(kind: .drag, line: 7))
        window.window.handle(PointerEvent(kind: .release, line: 7))
        expectContains(window.daemon.asked, "queue.move {\"from\":\"#2\",\"to\":4}")
    }

    @Test(arguments: [
        (ScreenName.rules, "New rule"), (.playlists, "New playlist"), (.bookmarks, "New bookmark"),
        (.feeds, "Subscribe to a feed"),
    ]) func editModeShowsARowForSomethingNew(_ name: ScreenName, _ title: String) {
        let window = SampleWindow(first: name, lines: 14)
        #expect(!window.text.contains(title))
        window.press("e")
        expectContains(window.lines, "+ \(title)")
        window.press("G enter")
        expectContains(window.lines[0], title == "Subscribe to a feed" ? "Subscribe" : title)
        window.press("escape")
        window.press("i")
        expectContains(window.lines[0], title == "Subscribe to a feed" ? "Subscribe" : title)
    }

    @Test func editModeMarksAllRowsAndTheBuiltInOnesNot() {
        let rules = SampleWindow(first: .rules)
        rules.press("e")
        expectEqual(rules.lines.filter { $0.hasPrefix("-↕") }.count, 2)
        let playlists = SampleWindow(first: .playlists)
        playlists.press("e")
        expectEqual(playlists.lines.filter { $0.hasPrefix("-") }.count, 1)
        #expect(playlists.lines[1].hasPrefix("›"))
        playlists.press("d")
        expectEqual(playlists.lines.last, "New is a built-in playlist, which cannot be deleted")
        playlists.press("j d")
        expectContains(playlists.daemon.asked, "playlists.remove {\"name\":\"long\"}")
    }

    @Test func aRowIsNotCarriedBelowTheRowForSomethingNew() {
        let window = SampleWindow(first: .rules)
        window.press("e m G m")
        expectContains(window.daemon.asked, "rules.move {\"rule\":1,\"to\":2}")
    }

    @Test func aListThatTakesNoRowsSaysSo() {
        let window = SampleWindow()
        window.press("i")
        expectEqual(window.lines.last, "no row can be added to this list")
    }

    @Test func aNewRuleIsAForm() {
        let window = SampleWindow(first: .rules)
        window.press("i")
        window.type("is:starred then download")
        window.press("^S")
        expectContains(window.daemon.asked, "rules.add {\"rule\":\"is:starred then download\"}")
        expectContains(window.lines[0], "Rules (2)")
    }

    @Test func aRuleABookmarkAndAPlaylistAreChangedInAFormWithTheirValues() {
        let rules = SampleWindow(first: .rules, columns: 100)
        expectContains(rules.text, "enter change")
        rules.press("j enter")
        expectContains(rules.lines[0], "Rule 2  ‹ Rules (2)")
        expectContains(rules.text, "longer:1h then queue")
        rules.type(" download")
        rules.press("^S")
        expectContains(rules.daemon.asked, "rules.set {\"rule\":2,\"text\":\"longer:1h then queue download\"}")
        expectContains(rules.lines[0], "Rules (2)")

        let daemon = SampleDaemon()
        daemon.bookmarks = [
            ["id": 3, "episode": 300, "title": "Episode 300", "feedTitle": "Café Talk", "position": 83, "text": "here"]
        ]
        let bookmarks = SampleWindow(daemon, first: .bookmarks, columns: 100)
        bookmarks.press("e")
        expectContains(bookmarks.text, "enter change   d delete   i new   e done")
        bookmarks.press("enter")
        expectContains(bookmarks.text, "1:23")
        bookmarks.type(" and there")
        bookmarks.press("^S")
        expectContains(bookmarks.daemon.asked, "bookmarks.edit {\"bookmark\":3,\"text\":\"here and there\"}")

        let playlists = SampleWindow(first: .playlists, columns: 100)
        playlists.press("e")
        expectContains(playlists.text, "\ni new   e done")
        playlists.press("enter")
        expectEqual(playlists.lines.last, "New is a built-in playlist, which cannot be changed")
        playlists.press("j enter")
        playlists.type(" is:new")
        playlists.press("^S")
        expectContains(
            playlists.daemon.asked,
            "playlists.save {\"name\":\"long\",\"filter\":\"longer:1h is:new\",\"order\":\"oldest\"}")
    }

    @Test func theKeysBelowAFormAreThoseOfTheForm() {
        let window = SampleWindow(first: .playlists, columns: 100, lines: 16)
        window.press("i")
        expectContains(window.text, "^S saves")
        #expect(!window.text.contains("all keys"))
    }

    @Test func aLongHelpOfAFieldIsShownToItsEnd() {
        let daemon = SampleDaemon()
        var setting = SettingReply()
        (setting.key, setting.isClientSettable) = ("library.folder", true)
        setting.help = "Folder of the library. If empty: $STATE_DIRECTORY, else $XDG_DATA_HOME/podcastd, else the home."
        setting.kind = .text
        daemon.settings = [setting]
        let window = SampleWindow(daemon, first: .settings, columns: 60)
        expectContains(window.lines[8] + window.lines[9], "else the home.")
        expectContains(window.lines[10], "type, enter or tab")
    }

    @Test func savingNamesAllFieldsThatWereChanged() {
        let daemon = SampleDaemon()
        daemon.settings = ["playback.mono", "playback.gapless"].map { key in
            var setting = SettingReply()
            (setting.key, setting.value, setting.isClientSettable) = (key, "no", true)
            setting.kind = .flag
            return setting
        }
        let window = SampleWindow(daemon, first: .settings)
        window.press("space down space ^S")
        expectEqual(window.lines.last, "saved: Mono, Gapless")
    }

    @Test func theSubscribeFormKeepsWhatFailedAndAsksForALogin() {
        let window = SampleWindow(first: .subscribe, columns: 120, lines: 14)
        var failure = FailureReply("login required (HTTP 401)", hint: "podcastctl subscribe --user NAME")
        failure.login = "http://b.test"
        window.daemon.subscriptions.rows = [
            SubscriptionReply { ($0.url, $0.feed, $0.isNew) = ("a.test", window.daemon.feeds[0], true) },
            SubscriptionReply { ($0.url, $0.error) = ("b.test", failure) },
        ]
        window.type("a.test b.test")
        window.press("^S")
        let hint = "login required (HTTP 401); fill in the user name and password"
        expectContains(window.text, "b.test: \(hint)")
        window.daemon.needsLogin = "http://b.test"
        window.press("^S")
        expectContains(window.daemon.asked.last ?? "", "http://b.test")
        #expect(window.daemon.asked.last?.contains("a.test") == false)
        expectEqual(window.lines.last, hint)
    }

    @Test func keysOfAFormThatHasNoValuesYetDoNothing() {
        let daemon = SampleDaemon()
        var setting = SettingReply()
        (setting.key, setting.value, setting.isClientSettable) = ("downloads.directory", "/old", true)
        setting.kind = .text
        daemon.settings = [setting]
        daemon.isSlow = true
        let window = SampleWindow(daemon)
        window.press("0")
        expectContains(window.text, "Loading…")
        let asked = daemon.asked
        window.type("qd")
        window.window.paste("uit")
        window.press("^S")
        daemon.answer()
        expectEqual(daemon.asked, asked)
        expectContains(window.text, "/old")
    }

    @Test(arguments: ["^R", "alt-right", "^X", "u"]) func aKeyThatIsACommandElsewhereDoesNothingInAForm(_ key: String) {
        let window = SampleWindow(first: .subscribe)
        let asked = window.daemon.asked
        window.press(key)
        expectEqual(window.daemon.asked, asked)
        expectContains(window.lines[0], "Subscribe")
    }

    @Test func aSubscriptionAndARefreshSayWhatTheyBrought() {
        let window = SampleWindow(first: .feeds)
        window.daemon.subscriptions.rows = [
            SubscriptionReply {
                ($0.url, $0.error) = ("https://x.test", FailureReply("not a podcast", hint: "use its feed"))
            }
        ]
        window.press("S")
        window.type("https://x.test")
        window.press("^S")
        expectEqual(window.lines.last, "https://x.test: not a podcast; use its feed")
        expectContains(window.lines[0], "Subscribe")
        window.daemon.subscriptions.rows = [
            SubscriptionReply { ($0.feed, $0.isNew) = (window.daemon.feeds[0], true) }
        ]
        window.press("^S")
        expectEqual(window.lines.last, "subscribed to Café Talk (100 episodes)")
        expectContains(window.lines[0], "Feeds (3)")
        window.daemon.refreshed = RefreshReply { ($0.refreshed, $0.failed, $0.newEpisodes, $0.errors) = (3, 0, 2, []) }
        window.press("R")
        expectEqual(window.lines.last, "3 feeds refreshed, 2 new episodes")
    }

    @Test func aDownloadedEpisodeIsNotDownloadedAgain() {
        let window = SampleWindow(first: .episodes)
        window.press("D")
        expectEqual(window.lines.last, "Episode 300: of things is downloaded already")
        #expect(!window.daemon.asked.contains { $0.hasPrefix("episodes.download ") })
    }

    /// A detail with the cursor on the line that begins with a name.
    private func detail(_ name: String, episode: Int64 = 299) -> SampleWindow {
        let window = SampleWindow(first: .episode(EpisodeID(episode)), lines: 30)
        let order = ["Feed:", "Published:", "Duration:", "Position:", "Played:", "Star:", "Downloaded:", "Note:"]
        for _ in 0..<(order.firstIndex(of: name) ?? 0) { window.press("j") }
        #expect(window.lines.contains { $0.hasPrefix("› \(name)") })
        return window
    }

    @Test(arguments: [
        ("Star:", "episodes.star {\"what\":[\"e299\"]}"),
        ("Played:", "episodes.mark {\"as\":\"played\",\"what\":[\"e299\"]}"),
        ("Downloaded:", "episodes.download {\"what\":[\"e299\"],\"limit\":50}"),
    ]) func enterChangesALineOfTheDetail(_ name: String, _ command: String) {
        let window = detail(name)
        window.press("enter")
        expectContains(window.daemon.asked, command)
    }

    @Test func positionAndNoteAreTypedAndTabGoesToTheNextLine() {
        let window = detail("Position:")
        window.press("enter")
        expectContains(window.lines.last ?? "", "Play from (such as 12:30): 0:00")
        window.press("^U")
        window.type("12:30")
        window.press("enter")
        #expect(
            window.daemon.asked.contains {
                $0.hasPrefix("playback.play") && $0.contains("\"e299\"") && $0.contains("750")
            })
        window.press("tab tab tab tab enter")
        expectContains(window.lines.last ?? "", "Note:")
        window.type("again")
        window.press("back-tab")
        expectContains(window.daemon.asked, "episodes.note {\"episode\":\"e299\",\"text\":\"again\"}")
        expectContains(window.daemon.asked, "episodes.download {\"what\":[\"e299\"],\"limit\":50}")
    }

    @Test func theTitleNamesTheScreenBelow() {
        let window = SampleWindow()
        expectEqual(window.lines[0], "Queue (4)")
        window.press("3 enter")
        expectEqual(
            window.lines[0].split(separator: "   ").map { $0.trimmingPrefix(" ") },
            ["Café Talk (100)  ‹ Feeds (3)", "1 of 100"])
        window.press("G")
        expectContains(window.lines[0], "100 of 100")
    }

    @Test func aLinkOfTheNotesIsOpened() {
        let daemon = SampleDaemon()
        daemon.notes =
            "See the page [1] and more [2], or write [3].\n\n[1] https://one.example.test/a\n"
            + "[2] http://two.example.test/b?c=d\n[3] mailto:us@three.example.test"
        let window = SampleWindow(daemon, first: .episode(EpisodeID(299)), columns: 90, lines: 40)
        let line = window.lines.firstIndex { $0.contains("See the page") } ?? 0
        func click() {
            for _ in 0..<2 { window.window.handle(PointerEvent(kind: .press, line: line)) }
        }
        click()
        expectContains(
            window.lines.last ?? "", "Open (1 one.example.test, 2 two.example.test, 3 us@three.example.test):")
        window.type("2")
        window.press("enter")
        expectEqual(window.links.urls, ["http://two.example.test/b?c=d"])
        expectEqual(window.lines.last, "copied: http://two.example.test/b?c=d")
        click()
        window.type("3")
        window.press("enter")
        expectEqual(window.links.urls.last, "mailto:us@three.example.test")
    }

    @Test(arguments: [
        "javascript://example.test/", "https://", "https://exa\u{1B}mple.test/", "ftp://example.test/x", "mailto:a",
        "mailto:a@example.test?attach=/etc/passwd",
    ]) func whatIsNoWebAddressIsNotOpened(_ text: String) {
        let daemon = SampleDaemon()
        daemon.notes = text
        let window = SampleWindow(daemon, first: .episode(EpisodeID(299)), lines: 40)
        window.press("G enter")
        expectEqual(window.links.urls, [])
    }

    @Test func pastedTextIsNeverAKey() {
        let window = SampleWindow()
        let asked = window.daemon.asked
        window.window.paste("qd\n:x")
        expectContains(window.lines.suffix(2).joined(separator: " "), "text was pasted where nothing is typed")
        expectEqual(window.daemon.asked, asked)
        window.press("/")
        window.window.paste("episode 299\n")
        expectContains(window.lines[0], "filter: episode 299")
    }
}
