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

    @Test(arguments: [("1", true), ("100", true), ("200", true), ("0", false), ("201", false), ("loud", false)])
    func aFeedsVolumeIsAPercentage(value: String, isValid: Bool) {
        expectEqual(FeedSetting.volume.objection(to: value) == nil, isValid)
    }
}
