@testable import Configuration
import TestSupport
import Testing

struct INIFileTests {
    @Test func linesAreSectionsEntriesOrComments() {
        let file = INIFile(
            parsing: "\u{FEFF}a=1\r\n\n [b c] ignored\n# x = 1\n; x = 1\n  n n : v = w ; x  \nempty =\n")
        expectEqual(
            file.entries,
            [
                INIEntry(section: "", name: "a", value: "1", line: 1),
                INIEntry(section: "b c", name: "n n", value: "v = w ; x", line: 6),
                INIEntry(section: "b c", name: "empty", value: "", line: 7),
            ])
        expectEqual(file.badLines, [])
    }

    @Test func otherLinesAreReported() {
        let long = "a = " + String(repeating: "x", count: INIFile.longestContent)
        let file = INIFile(parsing: "word\n[open\na\0 = 1\n\(long)\nb = 2")
        expectEqual(file.badLines, [1, 2, 3, 4])
        expectEqual(file.entries.map(\.line), [5])
    }
}
