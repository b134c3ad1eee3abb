import PodcastModel
import SystemCalls
import Testing
import TestSupport

@testable import AudioOutput

/// The lock's owner cannot be chosen from outside, hence `@testable`.
@Suite struct RendererMailboxTests {
    @Test func aSinkThreadThatCannotReadItsCommandsYetDoesNotSleep() throws {
        let mailbox = try RendererMailbox(sink: nil)
        try mailbox.post({ $0.isPaused = true }, start: {})
        // `post` has the lock here, as `isRunning` may have it, which signals nothing.
        try mailbox.post(
            { _ in
                #expect(mailbox.hasCommands && mailbox.take() == nil)
                #expect(waitForDescriptors(readable: mailbox.wakeUp.raw, until: .distantPast))
            }, start: {})
        #expect(mailbox.take()?.isPaused == true)
    }
}
