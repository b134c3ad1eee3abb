public import ControlLanguage
internal import PodcastModel

/// Gets a small copy of a cover.
public struct GetPicture: Command {
    /// The episode or feed: its id, URL or words of its title.
    public var what = ""
    /// Pixels of the longer side.
    public var size = 600

    public static let form = CommandForm<PictureReply>(
        "episodes.picture", "Print the cover of an episode or a feed as a small JPEG file.",
        result:
            "`type`: `image/jpeg`; `url` of the original, or of the media file that contains it; `data`: the file in Base64",
        .read, isLong: true,
        commandLine: CommandLineForm(
            ["picture"], group: "Episodes",
            details: [
                "Write it to a file: podcastctl picture f5 > cover.jpg. The original is fetched and decoded at the first "
                    + "request; small copies are kept for 30 days, 64 MiB at most."
            ]))
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "what", &what, .what, isRequired: true,
            help:
                "An episode or a feed: its id, URL or words of its title. An episode without a cover of its own has the one in its file, as far as that is on disk, else its feed's."
        )
        parameters.declare(
            "size", &size, 16...2048, spelling: .option,
            help: "Pixels of the longer side (default: 600). A smaller picture is not enlarged.")
    }
}

/// What `episodes.picture` answers.
public struct PictureReply: ReplyObject {
    /// A MIME type.
    public var type = "image/jpeg"
    /// The original.
    public var url = ""
    /// The file in Base64.
    public var data = ""

    public init() {}
    public init(_ jpeg: [UInt8], of url: String) { (self.url, data) = (url, Base64.text(of: jpeg)) }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("type", &type, isRequired: true)
        members.declare("url", &url)
        members.declare("data", &data, isRequired: true)
    }
}
