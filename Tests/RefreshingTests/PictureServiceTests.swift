@testable import DaemonCore
import ControlLanguage
import Library
import PodcastModel
import Synchronization
import SystemCalls
import TestSupport
import Testing

final class PictureServiceTests: Sendable {
    private let folder: String
    private let asked = Mutex<[String]>([])

    init() throws { folder = try StoredFile.makeTemporaryFolder("/tmp/pictures") }
    deinit { StoredFile.removeTree(folder) }

    private func service(_ answer: [UInt8]?) -> PictureService {
        PictureService(
            cache: PictureCache(folder: folder), decoder: PictureDecoder(executable: "/nonexistent"), now: { .now }
        ) { [self] label, form in
            asked.withLock { $0.append("\(label) \(form.side)") }
            guard let answer else { throw ControlError(.feedFailed, "no such picture") }
            return answer
        }
    }

    @Test func aPictureIsFetchedOnce() async throws {
        let pictures = service([9, 9])
        for _ in 0..<2 {
            try await expectEqual(pictures.copy(of: "https://a.example/x", named: "f1", PictureForm(side: 64)), [9, 9])
        }
        expectEqual(asked.withLock { $0 }, ["f1 64"])
    }

    @Test func aPictureThatFailedIsNotAskedForAgainAtOnce() async throws {
        let pictures = service(nil)
        for code in [ControlError.Code.feedFailed, .unavailable] {
            await #expect {
                try await pictures.copy(of: "https://a.example/x", named: "e1", PictureForm(side: 64))
            } throws: { ($0 as? ControlError)?.code == code }
        }
        expectEqual(asked.withLock { $0 }, ["e1 64"])
    }
}
