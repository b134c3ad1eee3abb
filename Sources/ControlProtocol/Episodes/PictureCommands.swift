public import ControlLanguage
public import PodcastModel

public struct GetPicture: Command {
    public var what = ""
    public var size = 600
    public var encoding = PictureFormat.jpeg

    public var copy: PictureForm { PictureForm(encoding, side: size) }

    public static let form = CommandForm<Self, PictureReply>(
        Self(), "episodes.picture", "Print the cover of an episode or a feed as a small JPEG file.", .read,
        isLong: true,
        verb: "picture",
        details: [
            "Write it to a file: podcastctl picture f5 > cover.jpg. The original is fetched and decoded at the first "
                + "request; small copies are kept for 30 days, 64 MiB at most."
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require(
            "what", &what, .title,
            help:
                "An episode or a feed: its id, URL or words of its title. For an episode without its own cover, the cover in its file is used if that is on disk, otherwise the cover of its feed."
        )
        parameters.declare(
            "size", &size, .integer(16...2048), spelling: .option,
            help: "Pixels of the longer side. A smaller picture is not enlarged.")
        parameters.declare(
            "encoding", &encoding, spelling: .option,
            help:
                "ppm for uncompressed pixels, at most \(PictureFormat.ppm.longestSide) on a side, for programs that must not decode pictures."
        )
    }
}

extension PictureFormat: ParameterChoice {}

public struct PictureReply: ReplyObject {
    var type = "image/jpeg"
    public var url = ""
    public var data = ""

    public init() {}
    public init(_ file: [UInt8], _ format: PictureFormat, of url: String) {
        type = format.mediaType
        self.url = url
        data = Base64.text(of: file)
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("type", &type, "`image/jpeg` or `image/x-portable-pixmap`.")
        members.declare("url", &url, "That of the original, or of the media file that contains it.")
        members.require("data", &data, "The file in Base64.")
    }
}
