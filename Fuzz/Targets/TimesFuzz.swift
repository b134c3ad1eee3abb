@testable import FeedDocuments
import PodcastModel

/// Dates and durations in feeds, and times typed by users.
enum TimesFuzz {
    static func run(_ input: FuzzInput) {
        let text = ElementText(trimming: input.rest)
        if let date = FeedDate.parse(text) {
            // Years have at most four digits; one more day on either side for the time zone.
            require((-62_200_000_000...253_500_000_000).contains(date.seconds), "\(date) of \(input.text)")
        }
        for time in [AnnouncedTime.duration(text), AnnouncedTime.start(text)].compactMap(\.self) {
            require((0..<tenYears).contains(time.nanoseconds), "\(time) of \(input.text)")
        }
        _ = (text.number, text.flag, text.word)
        if let time = MediaTime(parsing: input.text) {
            require((0...tenYears + 60_000_000_000).contains(time.nanoseconds), "\(time) of \(input.text)")
            require(MediaTime(parsing: "\(time)") != nil, "\(time) is not read")
        }
        _ = TimeArgument(parsing: input.text)
    }

    private static let tenYears: Int64 = 10 * 366 * 86_400 * 1_000_000_000
}
