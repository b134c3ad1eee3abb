internal import CommandLineTool
internal import Library
internal import PodcastModel
internal import Reporting

extension CommandRun {
    /// Bytes of a publisher's picture.
    private static let largestPicture = 16 << 20

    /// `podcast-refresh picture FEED|EPISODE`: a small copy of the cover on standard output, as a JPEG file or a pixmap.
    func printPicture() throws(ToolFailure) -> ExitStatus {
        guard output.terminalWidth == nil else {
            throw ToolFailure(.usage, "a picture is not printed on a terminal", hint: "redirect it: > cover.jpg")
        }
        let session = try openLibrary(mayCreate: false)
        let word = arguments.text(RefreshDeclaration.feedOrEpisode) ?? ""
        let cover = try session.perform { store in
            let name = Name(word, number: .feed)
            let found = try store.names.resolve(name, word: word, .feedOrEpisode, isExact: false)
            guard found.count == 1 else { throw LibraryError.refused("'\(word)' names several") }
            return try store.texts.cover(of: found[0])
        }
        guard let cover else { throw ToolFailure(.noInput, "\(SafeText.line(word)): its feed names no picture") }
        let progress = try progress()
        let activity = board.begin(.loading, "Loading picture", subject: word)
        defer {
            activity.end()
            progress.finish()
        }
        var request = FeedRequest(url: cover.url)
        request.access = session.access(toURLsOf: cover.feed)
        let transport = try makeTransport()
        let fetched = try mapError(
            of: WholeDocument.fetch(request, limit: Self.largestPicture, over: transport, tick: progress.tick)
        ) { (error: FetchFailure) in ToolFailure(error.exitStatus, "\(SafeText.line(cover.url)): \(error)") }
        let picture = fetched?.document.bytes ?? []
        if picture.isEmpty { throw ToolFailure(.protocolFault, "\(SafeText.line(cover.url)): no picture was sent") }
        let side = Int(arguments.integer(RefreshDeclaration.size) ?? Int64(RefreshDeclaration.usualSide))
        let format = arguments.text(RefreshDeclaration.encoding).flatMap(PictureFormat.init) ?? .jpeg
        output.write(contentsOf: try smallCopy(of: picture, PictureForm(format, side: side), from: cover.url))
        return .success
    }

    /// Decodes and scales a picture in the decoder's sandbox.
    private func smallCopy(of picture: [UInt8], _ form: PictureForm, from url: String) throws(ToolFailure) -> [UInt8] {
        let decoder = try ToolFailure.wrapping(.software, subject: "cannot run podcast-decode-av") {
            PictureDecoder(executable: try environment.pictureDecoder())
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
