import PodcastModel
import Testing
import TestSupport

@testable import Playback

/// The table of transitions: every event in every state.
struct TransitionTests {
    /// One column for each `Situation`, in their order: s stopped, l loading, b buffering, p playing, h held (paused).
    static let table = """
        play another      lllllllllllllllllll
        play the same     lllllllbbbbppllllpp
        play at           lllllllbbbbbbllllbb
        resume            lllllllbbbbppplllpp
        pause             sssshhhhhhhhhhhhhhh
        toggle            llllhhhhhhhhhhlllpp
        stop              sssssssssssssssssss
        seek              sssslllbbbbbblhhhhh
        seek by           sssslllbbbbbblhhhhh
        next              sssslllbbbbppphhhhh
        previous          sssslllbbbbbblhhhbb
        shutdown          sssssssssssssssssss
        queue changed     sssslllbbbbppphhhhh
        removed           ssssllllllllllhssss
        chosen            sssslllbbbbppphhhhh
        chosen none       sssssllbbbbpppshhhh
        chosen late       sssslllbbbbppphhhhh
        choice failed     sssssllbbbbpppshhhh
        resolved          sssslllbbbbppphhhhh
        resolved late     sssslllbbbbppphhhhh
        unresolved        sssslslbbbbppphshhh
        unresolved late   sssslllbbbbppphhhhh
        start failed      ssssllsssssssshhsss
        start failed late sssslllbbbbppphhhhh
        source connects   sssslllbbbbppphhhhh
        source retries    sssslllbbbbppphhhhh
        source gone       ssssllllllbppphhhhh
        source offline    ssssllssllbppphhhhh
        source late       sssslllbbbbppphhhhh
        opened            ssssllbbbbbppphhhhh
        needs bytes       sssslllbbbbppphhhhh
        decoding          sssslllbbbbppphhhhh
        positioned        sssslllbbbbppphhhhh
        positioned 2      sssslllbbbbppphhhhh
        reached end       sssslllbbbbppphhhhh
        restarted         sssslllbbbbppphhhhh
        decoder damaged   ssssllssllbppphhhhh
        file changed      ssssllllllllllhhhhh
        decoder late      sssslllbbbbppphhhhh
        started           ssssllppbppppphhhhh
        started 2         sssslllbpbbppphhhhh
        underrun          ssssllbbbbbbblhhhhh
        resumed           ssssllppbppppphhhhh
        ended             ssssllllblllllhhhhh
        ended late        sssslllbbbbppphhhhh
        sink lost         sssslllbbbbbbbhhhhh
        sink dead         ssssllsssssssshhsss
        sink back         sssslllbbbpppphhhhh
        record failed     sssslllbbbbppphhhhh
        record recovered  sssslllbbbbppphhhhh
        held long         sssslllbbbbppphhhhh
        retry is due      sssslllbbbbppphhhhh
        fell asleep       sssshhhhhhhhhhhhhhh
        time passed       sssslllbbbbppphhhhh
        """

    static func letter(_ kind: PlayerState) -> Character {
        switch kind {
        case .stopped: "s"
        case .loading: "l"
        case .buffering: "b"
        case .playing: "p"
        case .paused: "h"
        }
    }

    /// The legal successors of a state, including the state itself.
    static func successors(of kind: PlayerState) -> Set<PlayerState> {
        switch kind {
        case .stopped: [.stopped, .loading]
        case .loading: [.loading, .buffering, .playing, .paused, .stopped]
        case .buffering: [.buffering, .playing, .loading, .paused, .stopped]
        case .playing: [.playing, .buffering, .loading, .paused, .stopped]
        case .paused: [.paused, .loading, .buffering, .playing, .stopped]
        }
    }

    static func grid() -> String {
        rows.map { row in
            let letters = Situation.allCases.map { situation in
                var machine = situation.machine
                _ = machine.handle(row.event)
                return letter(machine.state.kind)
            }
            return row.name + String(repeating: " ", count: 18 - row.name.count) + String(letters)
        }.joined(separator: "\n")
    }

    @Test func everyEventInEveryStateLeadsWhereTheTableSays() {
        let expected = Self.table.split(separator: "\n")
        let found = Self.grid().split(separator: "\n")
        expectEqual(expected.count, found.count)
        for (expected, found) in zip(expected, found) { expectEqual(expected, found) }
    }

    @Test func noEventLeadsToAStateThatMayNotFollow() {
        for situation in Situation.allCases {
            let before = situation.machine.state.kind
            for row in rows {
                var machine = situation.machine
                _ = machine.handle(row.event)
                let after = machine.state.kind
                expectContains(Self.successors(of: before), after, "\(situation), \(row.name): \(after)")
            }
        }
    }

    @Test func noTwoEventsLeadToAStateThatMayNotFollow() {
        for situation in Situation.allCases {
            for one in rows {
                var machine = situation.machine
                _ = machine.handle(one.event)
                let before = machine.state.kind
                for two in rows {
                    var next = machine
                    _ = next.handle(two.event)
                    expectContains(Self.successors(of: before), next.state.kind)
                }
            }
        }
    }

    @Test func staleEventsChangeNothing() {
        for situation in Situation.allCases {
            for row in rows where row.name.hasSuffix("late") {
                var machine = situation.machine
                let before = machine
                expectEqual(machine.handle(row.event), [], "\(situation), \(row.name)")
                expectEqual(machine, before, "\(situation), \(row.name)")
            }
        }
    }

    @Test func nothingStartsAfterShutdown() {
        for situation in Situation.allCases {
            var machine = situation.machine
            _ = machine.handle(.shutdown)
            expectEqual(machine.state.kind, .stopped)
            for row in rows {
                var later = machine
                for action in later.handle(row.event) {
                    switch action {
                    case .start, .resolve, .choose, .seek, .change: Issue.record("\(situation), \(row.name): \(action)")
                    case .setPaused, .silence, .suspendSource, .wakeSource, .savePosition, .finish, .discard,
                        .requestFailed, .forgetMeasurements, .retryLater, .setMeasuredDuration,
                        .setCurrentEntry, .prepareNext, .refuse:
                        break
                    }
                }
                expectEqual(later.state.kind, .stopped, "\(situation), \(row.name)")
            }
        }
    }

    @Test func whatIsSilencedIsRecordedAtNoWorsePlace() {
        // Whatever happens: no record is written that lies before the saved position of what was never heard.
        for situation in [Situation.resolving, .opening, .filling, .heldResolving, .heldOpening] {
            for row in rows where row.name != "seek" && row.name != "seek by" && row.name != "play at" {
                var machine = situation.machine
                for action in machine.handle(row.event) {
                    if case .savePosition = action { Issue.record("\(situation), \(row.name): \(action)") }
                }
            }
        }
    }
}
