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
        var room = loading(from: .zero)
        _ = room.poll(.playing, at: .zero)
        return room
    }

    /// The renderer has answered that it plays the first file.
    static func loading(from position: MediaTime) -> Dialogue {
        var room = idle()
        _ = room.load(item("first"), from: position)
        _ = room.answer(.done)
        _ = room.answer(.done)
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
    /// The renderer is asked for all after some time.
    /// - Returns: the actions besides these calls.
    mutating func poll(
        _ state: RemoteReport.State, at position: MediaTime?, of url: String? = "first", after seconds: Double = 0
    ) -> [RendererMachine.Action] {
        expectEqual(tick(after: seconds), [.call(.getVolume)])
        expectEqual(answer(.volume(50)), [.report(.volume(50)), .call(.getState)])
        let actions = answer(.state(state)) + answer(.position(position, url: url))
        expectEqual(actions.contains(.call(.getPosition)), true)
        return actions.filter { $0 != .call(.getPosition) }
    }
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
        expectEqual(room.poll(.playing, at: .zero), [.report(.state(.playing))])
        expectEqual(
            room.poll(.playing, at: time(1), after: 1), [.report(.state(.playing)), .report(.position(time(1)))])
    }

    @Test func aFileThatStartsLaterIsSoughtUntilItsPositionIsReached() {
        var room = Dialogue.loading(from: time(300))
        expectEqual(room.poll(.loading, at: .zero), [.report(.state(.loading))])
        expectEqual(room.poll(.playing, at: time(1), after: 1), [.call(.order(.seek(time(300))))])
        expectEqual(room.answer(.refused("no bytes")), [])
        expectEqual(room.poll(.playing, at: time(1), after: 0.4), [.call(.order(.seek(time(300))))])
        expectEqual(room.answer(.done), [])
        expectEqual(room.poll(.playing, at: time(300), after: 0.4), [.report(.state(.playing))])
    }

    @Test func aRendererWithoutPositionsIsSoughtOnce() {
        var room = Dialogue.loading(from: time(300))
        expectEqual(room.poll(.playing, at: nil), [.call(.order(.seek(time(300))))])
        _ = room.answer(.done)
        expectEqual(room.poll(.playing, at: nil, after: 0.4), [.report(.state(.playing))])
    }

    @Test func pauseAndPlaySendNoSeek() {
        var room = Dialogue.playing()
        expectEqual(room.order(.pause), [.call(.order(.pause))])
        expectEqual(room.answer(.done), [])
        expectEqual(room.poll(.paused, at: time(20)), [.report(.state(.paused)), .report(.position(time(20)))])
        expectEqual(room.order(.play), [.call(.order(.play))])
        expectEqual(room.answer(.done), [])
        expectEqual(room.poll(.playing, at: time(19)), [.report(.state(.playing)), .report(.position(time(19)))])
    }

    @Test func aSeekIsRepeatedUntilItHasAnEffect() {
        var room = Dialogue.playing()
        expectEqual(room.order(.seek(time(90))), [.call(.order(.seek(time(90))))])
        _ = room.answer(.done)
        expectEqual(room.poll(.playing, at: time(5), after: 0.4), [.call(.order(.seek(time(90))))])
        _ = room.answer(.done)
        expectEqual(room.poll(.playing, at: time(89), after: 0.4), [.report(.state(.playing))])
    }

    @Test func aSeekOfAPausedRendererIsSentOnce() {
        var room = Dialogue.playing()
        _ = room.order(.pause)
        _ = room.answer(.done)
        expectEqual(room.order(.seek(time(90))), [.call(.order(.seek(time(90))))])
        _ = room.answer(.done)
        expectEqual(
            room.poll(.paused, at: time(5), after: 0.4), [.report(.state(.paused)), .report(.position(time(5)))])
    }

    @Test func aPauseBeforeThePositionIsReachedEndsTheApproach() {
        var room = Dialogue.playing()
        _ = room.order(.seek(time(90)))
        _ = room.answer(.done)
        expectEqual(
            room.poll(.paused, at: time(5), after: 0.4), [.report(.state(.paused)), .report(.position(time(5)))])
    }

    @Test func answersAboutThePreviousFileSayNothingAboutTheNextOne() {
        var room = Dialogue.playing()
        _ = room.tick(after: 1)
        expectEqual(room.answer(.volume(50)), [.report(.volume(50)), .call(.getState)])
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
        var room = Dialogue.loading(from: .zero)
        expectEqual(room.poll(.loading, at: nil, of: nil), [.report(.state(.loading))])
        expectEqual(room.tick(after: 21).first, .report(.failed("it does not play the file")))
    }

    @Test func aRendererThatDoesNotAnswerIsLost() {
        var room = Dialogue.playing()
        var reports: [RendererMachine.Action] = []
        for _ in 0..<3 {
            reports += room.tick(after: 1)
            reports += room.answer(.missing) + room.answer(.missing) + room.answer(.missing)
        }
        expectEqual(reports.filter { $0 == .report(.lost) }.count, 1)
    }

    @Test func theFileOfAnotherControlPointIsNeitherFollowedNorStopped() {
        var room = Dialogue.playing()
        let other = "http://192.0.2.9/other"
        expectEqual(
            room.poll(.playing, at: time(3), of: other, after: 1),
            [.report(.state(.playing)), .report(.state(.stopped))])
        expectEqual(room.order(.stop), [])
    }

    @Test func aStopIsTheNextCall() {
        var room = Dialogue.playing()
        _ = room.tick(after: 1)
        expectEqual(room.order(.seek(time(9))), [])
        expectEqual(room.order(.stop), [])
        expectEqual(room.answer(.volume(50)), [.report(.volume(50)), .call(.order(.stop))])
        expectEqual(room.answer(.done), [])
        #expect(!room.machine.isBusy)
    }

    @Test func subscriptionsAreRenewed() {
        var room = Dialogue.idle()
        expectEqual(room.tick(after: 149), [])
        expectEqual(room.tick(after: 1), [.subscribe])
    }
}
