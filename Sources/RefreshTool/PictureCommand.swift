internal import CommandLineTool
internal import FeedFiles
internal import FeedRefresh
internal import LibraryModel
internal import PodcastModel
internal import Reporting
internal import SystemCalls

extension RefreshCommands {
    /// Bytes of a picture as its publisher has it.
    private static let largestPicture = 16 << 20

    /// `podcast-refresh picture FEED|EPISODE`: a small copy of the cover on standard output, as a JPEG file or a pixmap.
    func picture(_ arguments: ParsedArguments, _ output: ToolOutput) throws(ToolFailure) -> ExitStatus {
        guard output.terminalWidth == nil else {
            throw ToolFailure(.usage, "a picture is not printed on a terminal", hint: "redirect it: > cover.jpg")
        }
        let settings = try readSettings(arguments)
        let session = try LibrarySession(settings.folder, mayCreate: false, variable: environment.variable)
        let word = arguments.text(RefreshDeclaration.feedOrEpisode) ?? ""
        let cover = try session.perform { (store) throws(LibraryError) in
            let name = Name(word, number: .feed)
            let found = try store.names.resolve(name, word: word, .feedOrEpisode, isExact: false)
            guard found.count == 1 else { throw LibraryError.refused("'\(word)' names several") }
            return try store.texts.cover(of: found[0])
        }
        guard let cover else { throw ToolFailure(.noInput, "\(SafeText.line(word)): its feed names no picture") }
        let board = makeBoard()
        let watchers = Watchers(environment, board: board, arguments, settings)
        let activity = board.begin(.loading, "Loading picture", subject: word)
        defer {
            activity.end()
            watchers.finish()
        }
        var request = FeedRequest(url: cover.url)
        request.access = session.access(toWhatIsNamedBy: cover.feed)
        let download = TextDownload(limit: Self.largestPicture)
        switch download.run(request, over: try makeTransport(settings), tick: watchers.tick) {
        case .document(let document, _):
            let side = Int(arguments.integer(RefreshDeclaration.size) ?? Int64(RefreshDeclaration.usualSide))
            let format = arguments.text(RefreshDeclaration.encoding).flatMap(PictureFormat.init) ?? .jpeg
            let form = PictureForm(format, side: side)
            try output.write(contentsOf: try smallCopy(of: document.bytes, form, from: cover.url))
            return .success
        case .notModified: throw ToolFailure(.protocolFault, "\(SafeText.line(cover.url)): no picture was sent")
        case .failed(let failure):
            throw ToolFailure(failure.exitStatus, "\(SafeText.line(cover.url)): \(failure.description)")
        }
    }

    /// Decodes and scales it in the decoder's sandbox.
    private func smallCopy(of picture: [UInt8], _ form: PictureForm, from url: String) throws(ToolFailure) -> [UInt8] {
        let decoder: PictureDecoder
        do throws(SystemError) {
            decoder = PictureDecoder(executable: try environment.pictureDecoder())
        } catch {
            throw ToolFailure(.software, "cannot run podcast-decode-av: \(error)")
        }
        do throws(PictureDecoder.Failure) {
            return try decoder.smallCopy(of: picture, form)
        } catch {
            switch error {
            case .notRun(let words): throw ToolFailure(.software, "cannot run podcast-decode-av: \(words)")
            case .undecodable(let words): throw ToolFailure(.badData, "\(SafeText.line(url)): \(words)")
            }
        }
    }
}
