import Secrets
import TestSupport
import Testing

@Suite struct PasswordHashTests {
    @Test func aPasswordMatchesItsHashAndNoOther() throws {
        let hash = try #require(PasswordHash.make(from: "correct horse"))
        #expect(hash.text.hasPrefix("$y$"))
        #expect(hash.matches("correct horse"))
        #expect(!hash.matches("correct horsf") && !hash.matches("") && !hash.matches("correct horse "))
        #expect(try #require(PasswordHash.make(from: "correct horse")) != hash, "each hash has its own salt")
        let stored = try #require(PasswordHash(stored: hash.text))
        #expect(stored == hash && stored.matches("correct horse"))
    }

    @Test(arguments: ["", "secret", "$9$unknown", "*0", "$1$salt$qJH7.N4xYta3aEG/dfqo/0"])
    func whatIsNoSafeHashIsRefused(_ text: String) { expectEqual(PasswordHash(stored: text), nil) }

    @Test func passwordsThatCannotBeHashedAreRefused() throws {
        expectEqual(PasswordHash.make(from: String(repeating: "x", count: 512)), nil)
        expectEqual(PasswordHash.make(from: "a\0b"), nil)
        let hash = try #require(PasswordHash.make(from: String(repeating: "x", count: 511)))
        #expect(!hash.matches(String(repeating: "x", count: 512)))
    }

    @Test(arguments: [
        ("", "", true), ("a", "a", true), ("a", "b", false), ("a", "", false), ("", "a", false), ("ab", "abab", false),
    ])
    func textsAreComparedWhole(_ first: String, _ second: String, _ areEqual: Bool) {
        expectEqual(ConstantTime.areEqual(first, second), areEqual)
    }
}
