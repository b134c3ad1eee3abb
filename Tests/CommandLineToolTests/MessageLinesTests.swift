import CommandLineTool
import TestSupport
import Testing

@Suite struct MessageLinesTests {
    @Test func linesAreTakenHoweverTheyArrive() {
        var lines = MessageLines(maximum: 1 << 20)
        expectEqual(lines.append(Array("ab".utf8)), [])
        expectEqual(lines.append(Array("c\nd\n\ne".utf8)), ["abc", "d", ""].map { .whole(Array($0.utf8)) })
        expectEqual(lines.finish(), .whole([0x65]))
        expectEqual(lines.finish(), nil)
    }

    @Test func aLineThatIsTooLongIsDiscardedAndTheNextOneIsRead() {
        var lines = MessageLines(maximum: 1 << 20)
        let piece = [UInt8](repeating: 0x61, count: (1 << 20) / 2 + 1)
        expectEqual(lines.append(piece), [])
        expectEqual(lines.append(piece), [])
        expectEqual(lines.append(piece), [])
        expectEqual(lines.append(Array("\nok\n".utf8)), [.tooLong, .whole(Array("ok".utf8))])
    }
}
