import PodcastModel
import Testing
import TestSupport

struct PlayContextTests {
    @Test(
        arguments: [
            ("stop", .stop), ("oldest-first", .feed(.oldestFirst)), ("newest-first", .feed(.newestFirst)),
            ("playlist:new", .playlist("playlist:new")), ("playlist:", nil), ("", nil), ("queue", nil),
        ] as [(String, AfterQueue?)])
    func whatFollowsTheQueueIsReadAsUsersWriteIt(text: String, expected: AfterQueue?) {
        expectEqual(AfterQueue(parsing: text), expected)
    }

    @Test func itBecomesTheContextOfTheLastEpisodesFeed() {
        func context(_ setting: AfterQueue) -> PlayContext? {
            setting.context(after: FeedID(3)) { $0 == "playlist:x" ? .oldestFirst : .newestFirst }
        }
        expectEqual(context(.stop), nil)
        expectEqual(context(.feed(.oldestFirst)), PlayContext(.feed(FeedID(3)), .oldestFirst))
        expectEqual(context(.playlist("playlist:x")), PlayContext(.view("playlist:x"), .oldestFirst))
    }

    @Test(arguments: [("1", true), ("100", true), ("200", true), ("0", false), ("201", false), ("loud", false)])
    func aFeedsVolumeIsAPercentage(value: String, isValid: Bool) {
        expectEqual(FeedSetting.volume.objection(to: value) == nil, isValid)
    }
}
