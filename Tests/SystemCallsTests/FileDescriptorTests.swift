import Foundation
import SystemCalls
import Testing
import TestSupport

@Suite struct FileDescriptorTests {
    @Test func aDescriptorIsClosedWhenItsOwnerGoes() throws {
        // The other end of the pipe shows it; the number of a closed descriptor may belong to another test at once.
        let reading: FileDescriptor
        do {
            let pipe = try SystemCalls.Pipe()
            #expect(fcntl(pipe.writing.raw, F_GETFD) & FD_CLOEXEC != 0)
            reading = pipe.closingWriting()
        }
        try expectEqual(reading.readSome(upTo: 1), [])
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
