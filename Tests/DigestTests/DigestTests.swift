import Digest
import Testing
import TestSupport

struct DigestTests {
    /// The examples of FIPS 180-4's predecessor, FIPS 180-2, appendix B.
    @Test(arguments: [
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ])
    func theDigestIsThatOfTheStandard(_ text: String, _ digest: String) {
        expectEqual(SHA256.hexadecimal(of: Array(text.utf8)), digest)
    }
}
