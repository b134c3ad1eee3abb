import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import PodcastModel
import SessionBus
import SystemCalls
import TestSupport
import Testing

@testable import MPRISGateway

/// What podcast-mpris reports on the bus of a daemon whose answers the test makes up.
@Suite(.ownThread) struct MPRISServiceTests {
    private let served: ServedDaemon
    private let service: MPRISService

    init() throws {
        served = try ServedDaemon()
        let state = playing()
        served.daemon.set(.player, state.player.json)
        served.daemon.set(.queue, state.queue.json)
        var detail = EpisodeDetailReply()
        detail.summary = "About lamps"
        detail.episode = details
        served.daemon.reply(to: "episodes.show", detail.json)
        served.daemon.reply(
            to: "episodes.picture", PictureReply(Array("cover".utf8), .jpeg, of: "https://a.example/cover.jpg").json)
        let folder = served.folder.path
        service = MPRISService(
            connection: ControlConnection(reconnectingTo: served.socket),
            cover: CoverFile(variable: { $0 == "RUNTIME_DIRECTORY" ? folder : nil }, process: 1))
    }

    /// The changed properties of the player's signals until one has a value.
    private func properties(until name: String, _ isWanted: (BusValue) -> Bool) -> [String: BusValue] {
        var properties: [String: BusValue] = [:]
        while properties[name].map(isWanted) != true {
            let connection = service.connection
            waitForDescriptors(
                readable: connection.descriptor, writable: connection.wantsWriting ? connection.descriptor : -1,
                until: connection.deadline ?? .distantFuture)
            for signal in service.process() {
                for case .dictionary(let members) in signal.values {
                    for member in members { properties[member.name] = member.value }
                }
            }
        }
        return properties
    }

    private func text(_ metadata: BusValue?, _ name: String) -> BusValue? {
        guard case .dictionary(let members)? = metadata else { return nil }
        return members.first { $0.name == name }?.value
    }

    @Test func theTrackIsReportedWithItsDetailsAndCover() throws {
        // The daemon answers in the order of the requests: the details come before the cover.
        let found = properties(until: "Metadata") { text($0, "mpris:artUrl") != nil }
        expectEqual(found["PlaybackStatus"], .string("Playing"))
        expectEqual(text(found["Metadata"], "xesam:title"), .string("Episode 4"))
        expectEqual(text(found["Metadata"], "xesam:comment"), .strings(["About lamps"]))
        guard case .string(let address)? = text(found["Metadata"], "mpris:artUrl") else { return }
        expectEqual(try String(contentsOf: try #require(URL(string: address)), encoding: .utf8), "cover")
        expectEqual(served.daemon.calls(of: GetPicture.self).map(\.size), [512])
    }

    @Test func theEndOfTheDaemonStopsThePlayer() {
        _ = properties(until: "PlaybackStatus") { $0 == .string("Playing") }
        served.stop()
        let found = properties(until: "PlaybackStatus") { $0 == .string("Stopped") }
        expectEqual(found["CanPlay"], .bool(false))
        #expect(service.isSettled)
    }
}
