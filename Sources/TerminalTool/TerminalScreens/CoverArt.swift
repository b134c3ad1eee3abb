internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

/// An episode's cover at the upper right of a screen, if the terminal shows pictures and the screen has room.
final class CoverArt {
    /// Cells that the cover takes at most.
    private static let largest = Size(columns: 40, lines: 16)
    /// Columns for rows at least, and between them and the cover.
    private static let fewestColumns = 50
    private static let gap = 2
    /// Smaller covers are not shown.
    private static let fewestLines = 5

    /// What was asked for.
    private struct Request: Equatable {
        var episode: EpisodeID
        /// Pixels.
        var side: Int
    }

    private let context: ScreenContext
    private let episode: () -> EpisodeID?
    private var request: Request?
    private var picture: PixelPicture?

    init(_ context: ScreenContext, of episode: @escaping () -> EpisodeID?) {
        self.context = context
        self.episode = episode
    }

    /// Asks again for a cover that is missing.
    func load() { if picture == nil { request = nil } }

    /// Draws the cover if it is here, else asks for it. Returns columns that are left for rows.
    func draw(on canvas: inout Canvas, lines: Range<Int>) -> Int {
        let all = canvas.size.columns
        guard let cell = context.pictureCell, let episode = episode() else { return all }
        let columns = min(Self.largest.columns, all - Self.fewestColumns - Self.gap)
        // Half of a low screen.
        let height = min(Self.largest.lines, lines.count / 2)
        guard columns > 0, height >= Self.fewestLines else { return all }
        ask(Request(episode: episode, side: min(columns * cell.width, height * cell.height)))
        guard let picture else { return all }
        let size = Size(
            columns: (picture.width + cell.width - 1) / cell.width,
            lines: (picture.height + cell.height - 1) / cell.height)
        // An earlier answer for a larger screen.
        guard size.columns <= columns, size.lines <= height else { return all }
        canvas.place(PlacedPicture(picture: picture, column: all - size.columns, line: lines.lowerBound, size: size))
        return all - size.columns - Self.gap
    }

    private func ask(_ wanted: Request) {
        if request == wanted { return }
        if request?.episode != wanted.episode { picture = nil }
        request = wanted
        let command = GetPicture {
            $0.what = wanted.episode.label
            $0.size = max(16, wanted.side)
            $0.encoding = .ppm
        }
        context.read(command) { [weak self] reply in
            guard let self, request == wanted, let reply else { return }
            picture = Base64.bytes(of: reply.data).flatMap(PixelPicture.init(pixmap:))
            context.needsDrawing()
        }
    }
}
