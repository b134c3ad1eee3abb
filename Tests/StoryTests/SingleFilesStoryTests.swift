import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// Files that belong to no feed, told through the programs as they are installed.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct SingleFilesStoryTests: DaemonStory {
    let daemon: RunningDaemon
    private let client: DaemonConnection

    init() throws {
        daemon = try RunningDaemon()
        client = try daemon.connect()
    }

    private func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = daemon.scratch.path + "/" + name
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    private func open(_ path: String, _ flags: Int32 = O_RDONLY) throws -> OpenFile {
        OpenFile(try FileDescriptor.open(path, flags))
    }

    // MARK: files by path

    @Test func aFilePlaysByItsPathAndContinuesAtItsPosition() throws {
        let path = try file("my talk.mp3", try minutesOfSpeech())
        try client.watch([.player])
        let playing = try daemon.play(path, watchedBy: client)
        expectEqual(playing.episode?.title, "my talk.mp3")
        expectEqual(playing.feed?.title, "Single files")
        try expectEqual(ctl("seek", "0:20").status, 0)
        try expectEqual(ctl("stop").status, 0)

        // The daemon needs no right to the path, and not even the file to be there still.
        try FileManager.default.removeItem(atPath: path)
        try daemon.play("1")
        #expect(try client.player(.playing).position?.seconds ?? 0 >= 20)
    }

    @Test func aFileThatWasReplacedStartsAtItsBeginning() throws {
        let path = try file("talk.mp3", try minutesOfSpeech())
        try client.watch([.player])
        _ = try ctl("play", path)
        try client.player(.playing)
        _ = try ctl("seek", "2:00")
        _ = try ctl("stop")
        _ = try file("talk.mp3", try fixture("one-and-a-half-seconds.mp3") + minutesOfSpeech())
        _ = try ctl("play", path)
        #expect(try client.player(.playing).position?.seconds ?? 999 < 120)
        try expectEqual(client.call(ListEpisodes()).episodes.count, 1)
    }

    @Test func aPathThatCannotBeReadIsReportedByTheTool() throws {
        try expectOutcome(ctl("play", "./nothing.mp3"), 66, errors: "./nothing.mp3: No such file or directory")
        try expectOutcome(ctl("play", daemon.scratch.path + "/data"), 66, errors: "not a regular file")
    }

    @Test func afterARestartTheFileHasToBeGivenAgain() throws {
        let path = try file("talk.mp3", try minutesOfSpeech())
        try expectEqual(ctl("add", path).status, 0)
        expectEqual(daemon.stop(), .exited(0))
        let again = try RunningDaemon(in: daemon.scratch)
        let client = try again.connect(watching: .player)
        try client.call(Play { $0.what = "1" })
        let failed = try client.player { $0.error != nil }
        expectEqual(failed.error, "the file must be given again: podcastctl play '\(path)'")
        try expectEqual(client.call(ListQueue()).entries.count, 1)
        try again.play(path, watchedBy: client)
        try expectEqual(client.call(ListQueue()).entries.count, 1)
    }

    // MARK: descriptors

    @Test func onlyADescriptorOfARegularFileForReadingIsAccepted() throws {
        let path = try file("talk.mp3", try fixture("one-and-a-half-seconds.mp3"))
        func refusal(_ path: String, _ file: OpenFile?) -> String? {
            do {
                _ = try client.call(HandOverFile { $0.path = path }, file: file)
                return nil
            } catch ClientFailure.refused(let error) {
                return error.what
            } catch {
                return "\(error)"
            }
        }
        expectEqual(refusal(path, nil), "no file came with the request")
        expectEqual(refusal(path, try open(path, O_RDWR)), "the descriptor must be opened only for reading")
        expectEqual(refusal(path, try open(path, 0o10000000)), "the descriptor must be opened only for reading")
        expectEqual(refusal("/dev/null", try open("/dev/null"))?.hasSuffix("not a regular file"), true)
        expectEqual(refusal("talk.mp3", try open(path)), "the path must be absolute, not 'talk.mp3'")
        expectEqual(refusal(path, try open(path)), nil)
    }

    @Test func aDescriptorThatNoRequestUsesIsClosed() throws {
        let path = try file("unused.mp3", try fixture("one-and-a-half-seconds.mp3"))
        func isOpen() throws -> Bool {
            let folder = "/proc/\(daemon.process.processID)/fd"
            return try FileManager.default.contentsOfDirectory(atPath: folder).contains {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + $0)) == path
            }
        }
        try client.call(GetVersion(), file: try open(path))
        try client.call(GetVersion())
        #expect(try !isOpen())
        try client.call(HandOverFile { $0.path = path }, file: try open(path))
        #expect(try isOpen())
    }

    // MARK: the feed

    @Test func singleFilesAreAFeedThatIsNeitherRefreshedNorExportedAndCanBeCleared() throws {
        #expect(try client.call(ListFeeds()).rows.isEmpty)
        let server = try LoopbackServer()
        let remote = server.serve("/one.mp3", .resource(Resource(try fixture("one-and-a-half-seconds.mp3"))))
        try expectEqual(ctl("add", remote.url).status, 0)
        let path = try file("two.mp3", try fixture("one-and-a-half-seconds.mp3"))
        try expectEqual(ctl("add", path).status, 0)

        let feed = try #require(try client.call(ListFeeds()).rows.first?.feed)
        #expect((feed.title, feed.url, feed.episodeCount) == ("Single files", "", 2))
        try expectEqual(ctl("episodes", "Single files").output.split(separator: "\n").count, 2)
        try expectContains(ctl("refresh", "Single files").errors, "it is never refreshed")
        try expectContains(ctl("set", "Single files", "refresh", "off").errors, "has no settings")
        #expect(try !ctl("export").output.contains("Single files"))
        try expectEqual(ctl("refresh", "--force").status, 0)

        try expectEqual(ctl("unsubscribe", "f1-f9").status, 66)
        try expectContains(ctl("unsubscribe", "Single files").errors, "cannot be undone")
        try expectEqual(client.call(ListFeeds()).rows.first?.feed.episodeCount, 2)
        try expectEqual(ctl("unsubscribe", "--yes", "Single files").output, "cleared Single files\n")
        #expect(try client.call(ListFeeds()).rows.isEmpty)
        #expect(try client.call(ListQueue()).entries.isEmpty)
        #expect(try client.call(ListEpisodes()).episodes.isEmpty)
        try expectEqual(ctl("add", remote.url).status, 0)
        try expectEqual(client.call(ListFeeds()).rows.first?.feed.episodeCount, 1)
    }
}
