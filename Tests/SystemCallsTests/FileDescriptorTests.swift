import Foundation
import SystemCalls
import Testing
import TestSupport

@Suite struct FileDescriptorTests {
    @Test func aDescriptorIsClosedWhenItsOwnerGoes() throws {
        let number: Int32
        do {
            let descriptor = try FileDescriptor.open("/dev/null", O_RDONLY)
            number = descriptor.raw
            #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
        }
        expectEqual(fcntl(number, F_GETFD), -1)
    }

    @Test func aMissingFileIsNamedInTheError() {
        #expect {
            _ = try FileDescriptor.open("/nowhere/at/all", O_RDONLY)
        } throws: { error in
            (error as? SystemError)?.description == "open /nowhere/at/all: No such file or directory"
        }
    }

    @Test func aReleasedNumberStaysOpen() throws {
        let number = try FileDescriptor.open("/dev/null", O_RDONLY).release()
        #expect(fcntl(number, F_GETFD) != -1)
        close(number)
    }

    @Test func aDuplicateLivesOnItsOwn() throws {
        let copy: FileDescriptor
        do {
            let original = try FileDescriptor.open("/dev/null", O_RDONLY)
            copy = try original.duplicate()
        }
        #expect(fcntl(copy.raw, F_GETFD) != -1)
    }
}
