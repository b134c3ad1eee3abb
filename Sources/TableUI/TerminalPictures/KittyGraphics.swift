internal import PodcastModel

/// The kitty graphics protocol, https://sw.kovidgoyal.net/kitty/graphics-protocol: pictures are above the cells, and text does not
/// clear the pictures.
enum KittyGraphics {
    /// The number of the only picture that this program shows; pictures of other programs stay.
    private static let identifier = 0x706F64
    /// Bytes of pixels in a command: 4,096 as Base64, the most that the protocol allows.
    private static let chunkLength = 3_072

    /// Transmits pixels and shows the picture from the cursor on. The cursor does not move, and the terminal sends no answer.
    static func show(_ picture: PixelPicture, columns: Int, lines: Int) -> [UInt8] {
        var commands: [UInt8] = []
        var start = 0
        while start < picture.bytes.count {
            let end = min(start + chunkLength, picture.bytes.count)
            let more = "m=\(end < picture.bytes.count ? 1 : 0)"
            let keys =
                start > 0
                ? "q=2,\(more)"
                : "a=T,f=24,s=\(picture.width),v=\(picture.height),i=\(identifier),p=1,c=\(columns),r=\(lines),C=1,q=2,\(more)"
            commands += command(keys, Base64.text(of: picture.bytes[start..<end]))
            start = end
        }
        return commands
    }

    /// Removes the picture and frees its pixels.
    static var hide: [UInt8] { command("a=d,d=I,i=\(identifier),q=2", "") }

    private static func command(_ keys: String, _ payload: String) -> [UInt8] {
        Array("\u{1B}_G\(keys);\(payload)\u{1B}\\".utf8)
    }
}
