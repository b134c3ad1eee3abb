import PodcastModel
import TestSupport
import Testing

/// What two podcastds share, after both were changed apart.
struct SharedStateTests {
    private func queue(_ names: String) -> [SharedRow] {
        names.map { name in
            var row = SharedRow(.queue, feed: "https://feeds.example/show")
            (row.guid, row.url) = (String(name), "https://cdn.example/\(name).mp3")
            return row
        }
    }

    private func names(_ rows: [SharedRow]) -> String { rows.compactMap(\.guid).joined() }

    private func merged(_ base: String, _ ours: String, _ theirs: String) -> String {
        names(SharedState.merged(base: queue(base), ours: queue(ours), theirs: queue(theirs)))
    }

    @Test func additionsRemovalsAndMovesOfBothSidesCount() {
        expectEqual(merged("abc", "abcd", "xabc"), "xabcd")
        expectEqual(merged("abc", "ac", "ab"), "a")
        expectEqual(merged("abc", "cab", "abcd"), "cabd")
        expectEqual(merged("abc", "abc", "bca"), "bca")
        // Both have moved: the server's order counts.
        expectEqual(merged("abc", "cba", "bac"), "bac")
        expectEqual(merged("", "ab", "bc"), "abc")
    }

    @Test func notesAreJoinedAndAChangeCountsMoreThanARemoval() {
        func note(_ text: String?) -> [SharedRow] {
            text.map { [SharedRow(.note, feed: "https://feeds.example/show", "", $0)] } ?? []
        }
        func merged(_ base: String?, _ ours: String?, _ theirs: String?) -> String? {
            SharedState.merged(base: note(base), ours: note(ours), theirs: note(theirs)).first?.value
        }
        expectEqual(merged("a", "b", "c"), "c\nb")
        expectEqual(merged(nil, "b", "c\nb"), "c\nb")
        expectEqual(merged("a", nil, "c"), "c")
        expectEqual(merged("a", nil, "a"), nil)
        expectEqual(merged("a", "b", nil), "b")
    }

    @Test func aThousandRandomQueuesLoseAndDoubleNoEntry() {
        var random = SeededNumbers(state: 5)
        for _ in 0..<1_000 {
            let base = String("abcdefgh".shuffled(using: &random).prefix(Int.random(in: 0...8, using: &random)))
            func changed(_ new: String) -> String {
                var list = Array(base).filter { _ in Int.random(in: 0..<5, using: &random) > 0 }
                if Bool.random(using: &random) { list.shuffle(using: &random) }
                for name in new { list.insert(name, at: Int.random(in: 0...list.count, using: &random)) }
                return String(list)
            }
            let (ours, theirs) = (changed("uvX"), changed("xyX"))
            let result = merged(base, ours, theirs)
            let kept = Set(base).intersection(ours).intersection(theirs)
            #expect(
                Set(result) == kept.union("uvxyX") && result.count == kept.count + 5,
                "\(base) \(ours) \(theirs): \(result)")
            // Also if only one side has applied it when the connection breaks off; and then nothing is left to do.
            for again in [merged(base, ours, result), merged(base, result, theirs)] {
                #expect(Set(again) == Set(result) && again.count == result.count, "\(base) \(ours) \(theirs): \(again)")
            }
            expectEqual(merged(result, result, result), result)
        }
    }

    /// The sides of a synchronization, and what both had the same the last time.
    private struct Sides {
        var (ours, theirs, base): ([SharedRow], [SharedRow], [SharedRow])

        /// - Parameter act: done here before the merged rows come (phase 0), or after that.
        mutating func synchronize(phase: Int = 0, _ act: (inout [SharedRow]) -> Void = { _ in }) {
            let (before, merged) = ((ours, theirs), SharedState.merged(base: base, ours: ours, theirs: theirs))
            if phase == 0 { act(&ours) }
            theirs = SharedState.merged(base: before.1, ours: theirs, theirs: merged)
            ours = SharedState.merged(base: before.0, ours: ours, theirs: merged)
            if phase == 1 { act(&ours) }
            base = SharedState.agreed(merged, from: before, now: (ours, theirs))
        }
    }

    @Test func whatIsDoneDuringASynchronizationIsNotTakenBack() {
        var random = SeededNumbers(state: 9)
        func row(_ kind: SharedRow.Kind, _ name: String, _ value: String) -> SharedRow {
            SharedRow(kind, feed: "https://feeds.example/show", name, value)
        }
        func isHere(_ rows: [SharedRow], _ row: SharedRow) -> Bool { rows.byKey[row.key]?.value == row.value }
        var both = queue("abcde") + [row(.feedSetting, "speed", "0"), row(.note, "", "0"), row(.tag, "0", "")]
        for number in 1...200 {
            var sides = Sides(ours: both, theirs: both, base: both)
            let there = row(.feedSetting, "volume", "\(number)")
            sides.theirs = sides.theirs.filter { $0.key != there.key } + [there]
            let (speed, tag) = (row(.feedSetting, "speed", "\(number)"), row(.tag, "\(number)", ""))
            let note = row(.note, "", "\(number)")
            let order = String("abcde".shuffled(using: &random))
            sides.synchronize(phase: number % 2) { rows in
                let rest = rows.filter { ![.queue, .tag, .note].contains($0.kind) && $0.key != speed.key }
                rows = queue(order) + rest + [speed, note, tag]
            }
            for _ in 0..<2 { sides.synchronize() }
            for rows in [sides.ours, sides.theirs] {
                #expect(names(rows) == order, "\(number)")
                #expect([there, speed, note, tag].allSatisfy { isHere(rows, $0) }, "\(number): \(rows)")
                expectEqual(rows.count { $0.kind == .tag }, 1)
            }
            both = sides.ours
        }
    }

    @Test func aRowThatASideCannotTakeIsNotRemovedFromTheOther() {
        let row = SharedRow(.rule, "a rule of a newer version")
        let agreed = SharedState.agreed([row], from: (ours: [row], theirs: []), now: (ours: [row], theirs: []))
        expectEqual(agreed, [])
        expectEqual(SharedState.merged(base: agreed, ours: [row], theirs: []), [row])
    }
}
