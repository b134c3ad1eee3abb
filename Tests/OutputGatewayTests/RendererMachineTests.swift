import PodcastModel
import TestSupport
import Testing

@testable import OutputGateway

/// A machine, and the time.
private struct Dialogue {
    var now = Instant(nanoseconds: 1_000_000_000_000)
    var machine: RendererMachine
    /// The last call, which has no answer yet.
    private var call: RendererMachine.Call?

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
        handle(.load(item, from: position))
    }
    mutating func order(_ order: RemoteOrder) -> [RendererMachine.Action] { handle(.order(order)) }
    mutating func answer(_ answer: RendererMachine.Answer) -> [RendererMachine.Action] {
        call.take().map { handle(.answer(answer, to: $0)) } ?? []
    }
    mutating func notice() -> [RendererMachine.Action] { handle(.notice) }
    mutating func handle(_ event: RendererMachine.Event) -> [RendererMachine.Action] {
        let actions = machine.handle(event, at: now)
        for case .call(let new) in actions { call = new }
        return actions
    }
    /// The renderer is asked for all after some time.
    /// - Returns: the actions besides these calls.
    mutating func poll(
        _ state: RemoteReport.State, at position: MediaTime?, of url: String? = "first", after seconds: Double = 0
    ) -> [RendererMachine.Action] {
        expectEqual(tick(after: seconds), [.call(.getState)])
        let found = answer(.state(state))
        expectEqual(found.last, .call(.getPosition))
        let actions = found.dropLast() + answer(.position(position, url: url))
        guard actions.last == .call(.getVolume) else { return Array(actions) }
        return actions.dropLast() + answer(.volume(50)).filter { $0 != .report(.volume(50)) }
    }
    mutating func tick(after seconds: Double = 0) -> [RendererMachine.Action] {
        now = now + .seconds(seconds)
        return handle(.tick)
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

    @Test func theVolumeFromBeforeANewOneIsSetIsNotReported() {
        var room = Dialogue.idle()
        _ = room.notice()
        expectEqual(room.tick(), [.call(.getVolume)])
        expectEqual(room.order(.setVolume(40)), [])
        expectEqual(room.answer(.volume(100)), [.call(.order(.setVolume(40)))])
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
        expectEqual(room.tick(after: 1), [.call(.getState)])
        expectEqual(room.load(Dialogue.item("second"), from: .zero), [])
        expectEqual(room.answer(.state(.stopped)), [.call(.getVolume)])
        expectEqual(room.answer(.volume(50)), [.report(.volume(50)), .call(.order(.stop))])
        expectEqual(room.answer(.done), [.call(.setFile(Dialogue.item("second")))])
    }

    @Test func aRefusalOfAnEarlierFileIsNotOneOfTheNext() {
        var room = Dialogue.idle()
        _ = room.load(Dialogue.item("first"), from: .zero)
        _ = room.load(Dialogue.item("second"), from: .zero)
        expectEqual(room.answer(.refused("Illegal MIME type")), [.call(.order(.stop))])
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
        expectEqual(room.answer(.state(.playing)), [.call(.order(.stop))])
        expectEqual(room.answer(.done), [])
        #expect(!room.machine.isBusy)
    }

    @Test func aStopIsSentAlthoughTheRendererDoesNotAnswerThePreviousCall() {
        var room = Dialogue.playing()
        _ = room.tick(after: 1)
        expectEqual(room.order(.stop), [])
        expectEqual(room.handle(.overdue), [.call(.order(.stop))])
        expectEqual(room.handle(.answer(.state(.playing), to: .getState)), [])
        #expect(room.machine.isBusy)
        expectEqual(room.answer(.done), [])
        #expect(!room.machine.isBusy)
    }

    @Test func aFileWhosePositionStandsStillIsStoppedAndSetAgain() {
        var room = Dialogue.playing()
        for second in 1...5 { _ = room.poll(.playing, at: time(Double(second)), after: 1) }
        let playing = [RendererMachine.Action.report(.state(.playing)), .report(.position(time(5)))]
        for _ in 0..<8 { expectEqual(room.poll(.playing, at: time(5), after: 1), playing) }
        expectEqual(
            room.poll(.playing, at: time(5), after: 1),
            [.report(.state(.playing)), .report(.stalled), .report(.position(time(5))), .call(.order(.stop))])
        expectEqual(room.answer(.done), [.call(.setFile(Dialogue.item("first")))])
        expectEqual(room.answer(.done), [.call(.begin(url: "first"))])
        expectEqual(room.answer(.done), [])
        expectEqual(room.poll(.playing, at: .zero), [.call(.order(.seek(time(5))))])
    }

    @Test func aFileThatNeverMovesIsStartedAgainWhereItShouldBegin() {
        var room = Dialogue.loading(from: time(300))
        let first = actions(of: &room, seconds: 8, at: .zero)
        expectEqual(first.filter { $0 == .call(.order(.seek(time(300)))) }.count, 8)
        #expect(!first.contains(.report(.state(.playing))))
        let second = actions(of: &room, seconds: 2, at: .zero)
        expectContains(second, .report(.stalled))
        expectContains(second, .call(.begin(url: "first")))
        expectEqual(room.poll(.playing, at: time(1), after: 1), [.call(.order(.seek(time(300))))])
    }

    /// Polls once a second.
    private func actions(of room: inout Dialogue, seconds: Int, at position: MediaTime) -> [RendererMachine.Action] {
        var actions: [RendererMachine.Action] = []
        for _ in 0..<seconds {
            actions += room.poll(.playing, at: position, after: 1)
            while room.machine.isBusy { actions += room.answer(.done) }
        }
        return actions
    }

    @Test func aRendererThatDoesNotPlayAlthoughItWasRestartedTwiceHasFailed() {
        var room = Dialogue.playing()
        _ = actions(of: &room, seconds: 1, at: time(1))
        let actions = actions(of: &room, seconds: 60, at: time(1))
        expectEqual(actions.filter { $0 == .report(.stalled) }.count, 2)
        expectEqual(actions.filter { $0 == .call(.order(.stop)) }.count, 2)
        expectContains(actions, .report(.failed("it does not play the file: its position stands still")))
    }

    @Test func aRendererThatAlwaysReportsZeroIsLeftInPeaceAfterTwoRestarts() {
        var room = Dialogue.playing()
        let actions = actions(of: &room, seconds: 100, at: .zero)
        expectEqual(actions.filter { $0 == .report(.stalled) }.count, 2)
        #expect(!actions.contains { if case .report(.failed) = $0 { true } else { false } })
    }

    @Test func aPausedRendererStandsStillWithoutARestart() {
        var room = Dialogue.playing()
        _ = room.poll(.playing, at: time(5), after: 1)
        _ = room.order(.pause)
        _ = room.answer(.done)
        for _ in 0..<20 {
            expectEqual(
                room.poll(.paused, at: time(5), after: 1), [.report(.state(.paused)), .report(.position(time(5)))])
        }
        _ = room.order(.play)
        _ = room.answer(.done)
        expectEqual(
            room.poll(.playing, at: time(5), after: 1), [.report(.state(.playing)), .report(.position(time(5)))])
    }

    @Test func aRendererThatHasForgottenTheFileIsToldFromOneThatAUserHasStopped() {
        var room = Dialogue.playing()
        expectEqual(room.poll(.stopped, at: .zero, after: 1), [.report(.state(.stopped))])
        room = .playing()
        expectEqual(room.tick(after: 1), [.call(.getState)])
        expectEqual(room.answer(.state(.stopped)), [.call(.getPosition)])
        expectEqual(room.answer(.position(.zero, url: "")), [.report(.cleared)])
        #expect(!room.machine.isBusy, "the volume after a restart is not the user's")
    }

    @Test func subscriptionsAreRenewed() {
        var room = Dialogue.idle()
        expectEqual(room.tick(after: 149), [])
        expectEqual(room.tick(after: 1), [.subscribe])
    }
}
