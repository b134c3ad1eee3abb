import FeedDocuments
import PodcastModel
import TestSupport
import Testing

/// What documents say of when they change.
struct RhythmTests {
    private func rhythm(_ elements: String) throws -> UpdateRhythm {
        let text = """
            <rss version="2.0" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"
              xmlns:podcast="https://podcastindex.org/namespace/1.0"
              xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">
            <channel><title>A show</title>\(elements)<item><title>One</title></item></channel></rss>
            """
        let parser = FeedParser(baseURL: "https://show.example/", contentType: nil)
        try Array(text.utf8).withUnsafeBytes { try parser.feed($0) }
        return try parser.finish().contents.channel.rhythm
    }

    @Test func timeToLiveIsInMinutes() throws {
        try expectEqual(rhythm("<ttl>90</ttl>").patience, 5400)
        try expectEqual(rhythm("<ttl>0</ttl>").patience, nil)
        try expectEqual(rhythm("<ttl>often</ttl>").patience, nil)
        try expectEqual(rhythm("<ttl>999999999999999</ttl>").patience, 366 * 86_400)
    }

    @Test func aPeriodIsDividedByItsFrequency() throws {
        try expectEqual(rhythm("<sy:updatePeriod>daily</sy:updatePeriod>").patience, 86_400)
        try expectEqual(
            rhythm("<sy:updatePeriod> Daily </sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>").patience,
            21_600)
        try expectEqual(
            rhythm("<sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>0</sy:updateFrequency>").patience, 3600
        )
        try expectEqual(rhythm("<sy:updatePeriod>fortnightly</sy:updatePeriod>").patience, nil)
        try expectEqual(rhythm("<ttl>60</ttl><sy:updatePeriod>daily</sy:updatePeriod>").patience, 86_400)
    }

    @Test func hoursAndDaysToSkip() throws {
        let some = try rhythm(
            "<skipHours><hour>0</hour><hour>23</hour><hour>24</hour><hour>25</hour></skipHours>"
                + "<skipDays><day>Saturday</day><day>SUNDAY</day><day>Caturday</day></skipDays>")
        expectEqual(some.quietHours, 1 << 23 | 1)
        expectEqual(some.quietDays, 0b100_0001)
        let all = try rhythm("<skipHours>" + (0..<24).map { "<hour>\($0)</hour>" }.joined() + "</skipHours>")
        expectEqual(all.quietHours, 0)
    }

    @Test func thePublishersPlan() throws {
        func gap(_ rule: String) throws -> Int64? {
            try rhythm("<podcast:updateFrequency rrule=\"\(rule)\">Sometimes</podcast:updateFrequency>").plannedGap
        }
        try expectEqual(gap("FREQ=WEEKLY"), 7 * 86_400)
        try expectEqual(gap("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE"), 7 * 86_400)
        try expectEqual(gap("freq=monthly;bymonthday=1,15"), 15 * 86_400)
        try expectEqual(gap("FREQ=YEARLY;INTERVAL=9999999999"), 366 * 86_400)
        try expectEqual(gap("FREQ=SECONDLY"), nil)
        try expectEqual(gap(""), nil)
        #expect(try !rhythm("<podcast:updateFrequency rrule=\"FREQ=DAILY\"/>").isComplete)
        #expect(try rhythm("<podcast:updateFrequency complete=\"true\">Done</podcast:updateFrequency>").isComplete)
        #expect(try rhythm("<itunes:complete>Yes</itunes:complete>").isComplete)
    }

    @Test func aDocumentWithoutAnnouncedIntervals() throws { try expectEqual(rhythm(""), UpdateRhythm()) }
}
