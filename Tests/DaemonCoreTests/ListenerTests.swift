import Synchronization
import Testing

@testable import DaemonCore

struct ListenerTests {
    @Test func everyEventIsHeardHoweverManyThereAre() {
        let listener = Listener<Int>()
        listener.tell(-1)
        let sum = Atomic(0)
        listener.connect { sum.add($0, ordering: .relaxed) }
        for _ in 0..<300_000 { listener.tell(1) }
        #expect(sum.load(ordering: .relaxed) == 300_000)
    }
}
