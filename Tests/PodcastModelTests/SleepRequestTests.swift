import PodcastModel
import Testing
import TestSupport

struct SleepRequestTests {
    @Test(
        arguments: [
            ("30m", nil, SleepRequest.after(.seconds(1800))), ("90", nil, .after(.seconds(90))),
            ("1:30", nil, .after(.seconds(90))), ("+10m", nil, .change(.seconds(600))),
            ("-5m", nil, .change(.seconds(-300))), ("end-of-episode", nil, .endOfEpisode(1)),
            ("end-of-episode", 3, .endOfEpisode(3)), ("end-of-chapter", nil, .endOfChapter), ("off", nil, .off),
            ("24h", nil, .after(.seconds(86_400))),
        ] as [(String, Int?, SleepRequest)])
    func aRequestIsReadAsUsersWriteIt(text: String, episodes: Int?, expected: SleepRequest) {
        expectEqual(SleepRequest(parsing: text, episodes: episodes), expected)
    }

    @Test(
        arguments: [
            ("", nil), ("soon", nil), ("0", nil), ("+0", nil), ("25h", nil), ("-25h", nil), ("30m", 2), ("off", 1),
            ("end-of-chapter", 1), ("end-of-episode", 0), ("end-of-episode", 101), ("End-of-episode", nil),
        ] as [(String, Int?)])
    func anythingElseIsRefused(text: String, episodes: Int?) {
        expectEqual(SleepRequest(parsing: text, episodes: episodes), nil)
    }
}
