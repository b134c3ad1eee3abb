import TestSupport
import Testing

@testable import AudioOutput

/// Answers as Avahi sends them to a question of RFC 6762, section 6.7.
@Suite struct SnapserverSearchTests {
    private static let question: [UInt8] =
        [9] + Array("_snapcast".utf8) + [4] + Array("_tcp".utf8) + [5] + Array("local".utf8) + [0, 0, 12, 0, 1]

    private static func answer(
        id: [UInt8] = [0x50, 0x43], flags: UInt8 = 0x84, answers: UInt8 = 1, question: [UInt8] = question
    ) -> [UInt8] {
        id + [flags, 0, 0, 1, 0, answers, 0, 0, 0, 0] + question + [0xC0, 12, 0, 12, 0, 1, 0, 0, 0, 10, 0, 2, 1, 0x61]
    }

    @Test func onlyAnAnswerToTheQuestionCounts() {
        #expect(SnapserverSearch.isAnswer(Self.answer()))
        let other = Self.question.map { $0 == UInt8(ascii: "s") ? UInt8(ascii: "t") : $0 }
        for wrong in [
            [], Array(Self.answer().prefix(12)), Self.answer(id: [0, 0]), Self.answer(flags: 0),
            Self.answer(answers: 0),
            Self.answer(question: other),
        ] {
            #expect(!SnapserverSearch.isAnswer(wrong), "\(wrong)")
        }
    }
}
