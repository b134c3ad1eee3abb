internal import MediaPorts
public import PodcastModel

/// Makes small copies of the covers of feeds and episodes.
public struct CoverPicture {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// Maximum bytes of a picture, or of the beginning of an audio file that contains its cover.
    public static let mostBytes = 16 << 20
    /// Valid pixels of the longer side.
    public static let sides = 16...2048

    /// FFmpeg's names of picture formats, and of audio formats with covers.
    private static let formats = "jpeg_pipe,png_pipe,webp_pipe,gif,bmp_pipe,mp3,mov,ogg,flac"

    private let form: PictureForm

    /// Call before the process is confined.
    /// - Parameter form: with a side in `sides`; a smaller picture is not enlarged.
    public init(_ form: PictureForm) {
        FFmpegLibrary.prepareForSandbox()
        self.form = form
    }

    /// - Parameter file: at most `mostBytes`.
    public func copy(of file: [UInt8]) throws(Failure) -> [UInt8] {
        do throws(FFmpegError) {
            let container = try MediaContainer(
                BytesInput(file), formats: Self.formats, probeSize: Int64(Self.mostBytes), content: .picture
            )
            let picture = try StillPicture(container)
            return switch form.format {
            case .jpeg: try picture.jpeg(longestSide: form.side, mostBytes: PictureFormat.mostBytes)
            case .ppm: try picture.pixmap(longestSide: form.side)
            }
        } catch {
            throw Failure(description: "no picture that can be decoded: \(error)")
        }
    }
}
