import GatewayKit
import JSON
import PodcastModel
import Testing

struct GPodderTextTests {
    private let now = Timestamp(seconds: 1_800_000_000)

    private func time(_ value: JSONValue) -> Timestamp? {
        let action: JSONValue = [
            "podcast": "https://a.example/feed", "episode": "https://a.example/1.mp3", "action": "play", "position": 5,
            "total": 60, "timestamp": value,
        ]
        return GPodderText.change(action, of: "phone", at: now)?.time
    }

    @Test(
        arguments: [
            "2026-11-29T09:00:00", "2026-11-29T09:00:00Z", "2026-11-29T10:00:00+01:00", "2026-11-29 09:00:00",
            "Sun Nov 29 09:00:00 GMT 2026", "Sun Nov 29 09:00:00 UTC 2026", 1_795_942_800, 1_795_942_800.0,
            1_795_942_800_000,
            "1795942800", "1795942800000",
        ] as [JSONValue])
    func timesOfManyFormsAreRead(value: JSONValue) { #expect(time(value)?.description == "2026-11-29T09:00:00Z") }

    @Test(
        arguments: ["yesterday", "", "29.11.2026 09:00", "Sun Nov 29 09:00:00 XYZ 2026", true, nil, [], 1e300]
            as [JSONValue])
    func anUnreadableTimeIsTheOldest(value: JSONValue) { #expect(time(value) == Timestamp(seconds: 0)) }

    /// A podcastd logs an undo in the second after the undone change.
    @Test func aTimeOneSecondAheadIsKeptAndALaterOneIsNow() {
        #expect(time(1_800_000_001) == now.adding(milliseconds: 1_000))
        #expect(time(1_800_000_003) == now)
    }

    @Test func anActionWithoutATimeHappenedNow() {
        let action: JSONValue = ["episode": "https://a.example/1.mp3", "action": "new"]
        #expect(GPodderText.change(action, of: "phone", at: now)?.time == now)
    }

    private func playback(_ action: JSONValue) -> LibraryChange.Value? {
        GPodderText.change(action, of: "phone", at: now)?.value
    }

    @Test func theTotalOfAClientDoesNotIdentifyTheEpisode() {
        let action: JSONValue = [
            "episode": "https://a.example/1.mp3", "guid": "g", "action": "play", "position": 5, "total": 60,
        ]
        let episode = GPodderText.change(action, of: "phone", at: now)?.subject.episode
        #expect(episode == EpisodeIdentity(guid: "g", url: "https://a.example/1.mp3"))
    }

    @Test(
        arguments: [
            (["action": "play", "position": 1790, "total": 1800], "played"),
            (["action": "PLAY", "position": 40, "total": 50], "0:40"),
            (["action": "play", "position": 40, "total": -1], "0:40"), (["action": "new"], "0:00"),
            (["action": "download"], nil), (["action": "play"], nil), (["action": "play", "position": -3], nil),
        ] as [(JSONValue, String?)])
    func anActionSetsThePlaybackOfItsEpisode(action: JSONValue, expected: String?) {
        guard case .object(let members) = action else { return }
        let read = playback(.object(members + [.init("episode", "https://a.example/1.mp3")]))
        #expect(read?.playback == expected)
    }

    @Test(
        arguments: [
            LibraryChange.Value(position: .zero, isPlayed: true), LibraryChange.Value(position: .zero),
            LibraryChange.Value(position: MediaTime(seconds: 1795)),
            LibraryChange.Value(position: MediaTime(seconds: 2000)),
        ], [nil, MediaTime(seconds: 0), MediaTime(seconds: 1800)])
    func aWrittenActionIsReadAsTheSame(playback: LibraryChange.Value, duration: MediaTime?) throws {
        let identity = EpisodeIdentity(guid: "g", url: "https://a.example/1.mp3", duration: duration)
        let subject = LibraryChange.Subject(.playback, feed: "https://a.example/feed", identity)
        let action = try #require(GPodderText.action(LibraryChange(subject, playback, at: now, in: "here")))
        #expect(self.playback(try JSONValue(parsing: action.text)) == playback)
    }
}
