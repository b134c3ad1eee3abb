import Digest
import TestSupport
import Testing

struct DigestTests {
    /// The examples of FIPS 180-4's predecessor, FIPS 180-2, appendixes A and B.
    @Test(
        arguments: [
            (.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (.sha1, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ] as [(HashFunction, String, String)])
    func theDigestIsThatOfTheStandard(_ function: HashFunction, _ text: String, _ digest: String) {
        expectEqual(function.hexadecimal(of: Array(text.utf8)), digest)
    }

    /// RFC 4231, 4.3.
    @Test func theAuthenticationCodeIsThatOfTheStandard() {
        let code = HashFunction.sha256.authenticationCode(
            of: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
        expectEqual(
            code?.map { String($0, radix: 16).count == 1 ? "0" + String($0, radix: 16) : String($0, radix: 16) }
                .joined(), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }
}
