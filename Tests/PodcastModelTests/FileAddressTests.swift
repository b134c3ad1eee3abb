import PodcastModel
import Testing
import TestSupport

struct FileAddressTests {
    @Test(arguments: ["/a.mp3", "/home/jörg/my talk #1?.mp3", "/100%/\u{1}\n.mp3", "/a+b/~c_d-e.mp3"])
    func aPathAndItsURLAreTheSame(path: String) {
        expectEqual(FileAddress.path(of: FileAddress.url(of: path)), path)
        #expect(FileAddress.url(of: path).utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    }

    @Test(arguments: ["http://host/a.mp3", "file://host/a.mp3", "file:a.mp3", "file:///a%00.mp3", "/a.mp3", "files:/a"])
    func anotherURLHasNoPath(url: String) {
        expectEqual(FileAddress.path(of: url), nil)
    }

    @Test func theHostMayBeThisMachine() {
        expectEqual(FileAddress.path(of: "FILE://localhost/a.mp3"), "/a.mp3")
        expectEqual(FileAddress.path(of: "file:/a.mp3"), "/a.mp3")
    }
}
