import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// The command with which a program reads the file of an episode.
@Suite(.ownThread, .timeLimit(.minutes(5)))
struct EpisodeBytesTests {
    private let published: PublishedFeed
    private let audio: [UInt8]
    private let daemon: RunningDaemon
    private let client: DaemonConnection

    init() throws {
        audio = try minutesOfSpeech()
        published = try PublishedFeed(episodes: [("Long", audio)])
        daemon = try RunningDaemon()
        client = try daemon.connect(watching: .player, subscribing: published.feed.url)
    }

    private func read(_ id: EpisodeID?, from offset: Int, _ count: Int = ReadEpisode.mostBytes) throws
        -> EpisodeBytesReply
    {
        try client.call(
            ReadEpisode { ($0.id, $0.offset, $0.count) = (id, Int64(offset), count) })
    }

    @Test func anEpisodeThatPlaysIsReadToItsEndAndFetchedOnce() throws {
        try client.play("Long")
        var bytes: [UInt8] = []
        while true {
            let reply = try read(nil, from: bytes.count)
            expectEqual(reply.length, Int64(audio.count))
            expectEqual(reply.type, "audio/mpeg")
            if reply.data.isEmpty { break }
            bytes += try #require(Base64.bytes(of: reply.data))
        }
        #expect(bytes == audio)
        expectEqual(published.media[0].requests.count, 1)
    }

    @Test func aPartIsReadFromTheMiddleOfAFileThatIsNotOnDisk() throws {
        let episode = try #require(try client.call(ListEpisodes()).episodes.first).episode.id
        let reply = try read(episode, from: audio.count / 2, 100)
        expectEqual(Base64.bytes(of: reply.data), Array(audio[audio.count / 2..<audio.count / 2 + 100]))
    }

    @Test func aFileOnThisMachineIsReadAsWell() throws {
        let path = daemon.scratch.path + "/a.mp3"
        try Data(audio.prefix(5000)).write(to: URL(filePath: path))
        let file = OpenFile(try FileDescriptor.openForReading(path))
        let episode = try client.call(HandOverFile { $0.path = path }, file: file).episode.id
        expectEqual(Base64.bytes(of: try read(episode, from: 4990).data), Array(audio[4990..<5000]))
        expectEqual(try read(episode, from: 5000).data, "")
    }

    @Test func whatCannotBeReadIsNamed() throws {
        expectEqual(#expect(throws: ClientFailure.self) { try read(nil, from: 0) }?.code, .conflict)
        expectEqual(#expect(throws: ClientFailure.self) { try read(EpisodeID(999), from: 0) }?.code, .notFound)
    }
}
