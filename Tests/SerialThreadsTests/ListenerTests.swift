import Synchronization
import Testing

import SerialThreads
import TestSupport

@Suite(.ownThread) struct ListenerTests {
    @Test func everyEventReachesTheHandlerAfterHundredsOfThousands() {
        let listener = Listener<Int>()
        listener.emit(-1)
        let sum = Atomic(0)
        listener.connect { sum.add($0, ordering: .relaxed) }
        for _ in 0..<300_000 { listener.emit(1) }
        expectEqual(sum.load(ordering: .relaxed), 300_000)
    }
}
