import PodcastModel
import TestSupport
import Testing

@testable import OutputGateway

/// A machine, and the time.
private struct Dialogue {
    var now = Instant(nanoseconds: 1_000_000_000_000)
    var machine: RendererMachine

    init() { machine = RendererMachine(at: now) }

    /// The volume was asked for, and nothing is loaded.
    static func idle() -> Dialogue {
        var room = Dialogue()
        _ = room.tick()
        _ = room.answer(.volume(50))
        return room
    }

    /// The first file plays from its beginning.
    static func playing() -> Dialogue {
        var room = idle()
        _ = room.load(item("first"), from: .zero)
        _ = room.answer(.done)
        _ = room.answer(.done)
        _ = room.tick()
        _ = room.answer(.state(.playing))
        _ = room.answer(.position(.zero, url: "first"))
        _ = room.answer(.volume(50))
        return room
    }

    static func item(_ url: String) -> RemoteItem { RemoteItem(url: url, type: "audio/mpeg", title: url) }

    mutating func load(_ item: RemoteItem, from position: MediaTime) -> [RendererMachine.Action] {
        machine.handle(.load(item, from: position), at: now)
    }
    mutating func order(_ order: RemoteOrder) -> [RendererMachine.Action] { machine.handle(.order(order), at: now) }
    mutating func answer(_ answer: RendererMachine.Answer) -> [RendererMachine.Action] {
        machine.handle(.answer(answer), at: now)
    }
    mutating func notice() -> [RendererMachine.Action] { machine.handle(.notice, at: now) }
    mutating func tick(after seconds: Double = 0) -> [RendererMachine.Action] {
        now = now + .seconds(seconds)
        return machine.handle(.tick, at: now)
    }
}

private func time(_ seconds: Double) -> MediaTime { MediaTime(seconds: seconds) }

@Suite struct RendererMachineTests {
    @Test func withoutAFileTheVolumeIsAskedForOnceAndAfterAnEvent() {
        var room = Dialogue()
        expectEqual(room.tick(), [.subscribe, .call(.getVolume)])
        expectEqual(room.answer(.volume(130)), [.report(.volume(100))])
        expectEqual(room.tick(after: 60), [])
        expectEqual(room.notice(), [])
        expectEqual(room.tick(), [.call(.getVolume)])
    }

    @Test func callsAreMadeOneAfterAnother() {
        var room = Dialogue.idle()
        expectEqual(
            room.load(Dialogue.item("first"), from: .zero), [.call(.setFile(Dialogue.item("first")))])
        expectEqual(room.order(.setVolume(30)), [])
        expectEqual(room.answer(.done), [.call(.begin(url: "first"))])
        expectEqual(room.answer(.done), [.call(.order(.setVolume(30)))])
        expectEqual(room.answer(.done), [])
        expectEqual(room.tick(), [.call(.getState)])
        expectEqual(room.answer(.state(.playing)), [.call(.getPosition)])
        expectEqual(room.answer(.position(.zero, url: "first")), [.report(.state(.playing)), .call(.getVolume)])
    }

    @Test func aFileThatStartsLaterIsSoughtUntilItsPositionIsReached() {
        var room = Dialogue.idle()
        _ = room.load(Dialogue.item("first"), from: time(300))
        _ = room.answer(.done)
        _ = room.answer(.done)
        _ = room.tick()
        expectEqual(room.answer(.state(.loading)), [.report(.state(.loading)), .call(.getPosition)])
        _ = room.answer(.position(.zero, url: "first"))
        _ = room.answer(.volume(50))
        _ = room.tick(after: 1)
        _ = room.answer(.state(.playing))
        expectEqual(room.answer(.position(time(1), url: "first")), [.call(.order(.seek(time(300))))])
        expectEqual(room.answer(.refused("no bytes")), [])
        _ = room.tick(after: 0.4)
        _ = room.answer(.state(.playing))
        expectEqual(room.answer(.position(time(1), url: "first")), [.call(.order(.seek(time(300))))])
        _ = room.answer(.done)
        _ = room.tick(after: 0.4)
        _ = room.answer(.state(.playing))
        expectEqual(room.answer(.position(time(300), url: "first")), [.report(.state(.playing))])
    }

    @Test func pauseAndPlaySendNoSeek() {
        var room = Dialogue.playing()
        expectEqual(room.order(.pause), [.call(.order(.pause))])
        expectEqual(room.answer(.done), [])
        expectEqual(room.tick(), [.call(.getState)])
        expectEqual(room.answer(.state(.paused)), [.report(.state(.paused)), .call(.getPosition)])
        expectEqual(room.answer(.position(time(20), url: "first")), [.report(.position(time(20)))])
        expectEqual(room.order(.play), [.call(.order(.play))])
        _ = room.answer(.done)
        _ = room.tick()
        expectEqual(room.answer(.state(.playing)), [.report(.state(.playing)), .call(.getPosition)])
        expectEqual(room.answer(.position(time(19), url: "first")), [.report(.position(time(19)))])
    }

    @Test func aSeekIsRepeatedUntilItHasAnEffect() {
        var room = Dialogue.playing()
        expectEqual(room.order(.seek(time(90))), [.call(.order(.seek(time(90))))])
        _ = room.answer(.done)
        _ = room.tick(after: 0.4)
        _ = room.answer(.state(.playing))
        expectEqual(room.answer(.position(time(5), url: "first")), [.call(.order(.seek(time(90))))])
        _ = room.answer(.done)
        _ = room.tick(after: 0.4)
        _ = room.answer(.state(.playing))
        expectEqual(room.answer(.position(time(89), url: "first")), [.report(.state(.playing))])
    }

    @Test func aPauseBeforeThePositionIsReachedEndsTheApproach() {
        var room = Dialogue.playing()
        _ = room.order(.seek(time(90)))
        _ = room.answer(.done)
        _ = room.tick(after: 0.4)
        expectEqual(room.answer(.state(.paused)), [.report(.state(.paused)), .call(.getPosition)])
        expectEqual(room.answer(.position(time(5), url: "first")), [.report(.position(time(5)))])
    }

    @Test func answersAboutThePreviousFileSayNothingAboutTheNextOne() {
        var room = Dialogue.playing()
        expectEqual(room.tick(after: 1), [.call(.getState)])
        expectEqual(room.load(Dialogue.item("second"), from: .zero), [])
        expectEqual(room.answer(.state(.stopped)), [.call(.getPosition)])
        expectEqual(room.answer(.position(time(119), url: "first")), [.call(.setFile(Dialogue.item("second")))])
    }

    @Test func aRefusalOfAnEarlierFileIsNotOneOfTheNext() {
        var room = Dialogue.idle()
        _ = room.load(Dialogue.item("first"), from: .zero)
        _ = room.load(Dialogue.item("second"), from: .zero)
        expectEqual(room.answer(.refused("Illegal MIME type")), [.call(.begin(url: "first"))])
        expectEqual(room.answer(.refused("no contents")), [.call(.setFile(Dialogue.item("second")))])
        expectEqual(
            room.answer(.refused("Illegal MIME type")),
            [
                .report(.failed("it does not play the file: Illegal MIME type"))
            ])
    }

    @Test func aFileThatDoesNotStartIsAFailure() {
        var room = Dialogue.idle()
        _ = room.load(Dialogue.item("first"), from: .zero)
        _ = room.answer(.done)
        _ = room.answer(.done)
        _ = room.tick(after: 1)
        _ = room.answer(.state(.loading))
        _ = room.answer(.position(nil, url: nil))
        _ = room.answer(.volume(50))
        expectEqual(room.tick(after: 20)[0], .report(.failed("it does not play the file")))
    }

    @Test func aRendererThatDoesNotAnswerIsLost() {
        var room = Dialogue.playing()
        var reports: [RendererMachine.Action] = []
        for _ in 0..<3 {
            reports += room.tick(after: 1)
            reports += room.answer(.missing) + room.answer(.missing)
        }
        expectEqual(reports.filter { $0 == .report(.lost) }.count, 1)
    }

    @Test func theFileOfAnotherControlPointIsNeitherFollowedNorStopped() {
        var room = Dialogue.playing()
        _ = room.tick(after: 1)
        _ = room.answer(.state(.playing))
        expectEqual(room.answer(.position(time(3), url: "http://192.0.2.9/other")), [.report(.state(.stopped))])
        expectEqual(room.order(.stop), [])
    }

    @Test func aStopIsTheNextCall() {
        var room = Dialogue.playing()
        _ = room.tick(after: 1)
        expectEqual(room.order(.seek(time(9))), [])
        expectEqual(room.order(.stop), [])
        expectEqual(room.answer(.state(.playing)), [.call(.order(.stop))])
        expectEqual(room.answer(.done), [])
        #expect(!room.machine.isBusy)
    }

    @Test func subscriptionsAreRenewed() {
        var room = Dialogue.idle()
        expectEqual(room.tick(after: 149), [])
        expectEqual(room.tick(after: 1), [.subscribe])
    }
}
