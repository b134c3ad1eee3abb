internal import CXCrypt

/// A password's hash: crypt(5).
public struct PasswordHash: Equatable, Sendable {
    /// The hash in the format of shadow(5): `$y$j9T$…`.
    public let text: String

    private static let outputSize = Int(CRYPT_OUTPUT_SIZE)
    /// `sizeof (struct crypt_data)`, a constant of the interface.
    private static let workSize: Int32 = 32768

    /// Nil for a hash whose method is not considered safe.
    public init?(stored text: String) {
        guard text.utf8.count < Self.outputSize, !text.utf8.contains(0), unsafe crypt_checksalt(text) == CRYPT_SALT_OK
        else { return nil }
        self.text = text
    }

    private init(text: String) { self.text = text }

    /// Hashes a new password with a random salt and the preferred method. Takes some hundredths of a second.
    /// - Returns: nil if the password is longer than 511 bytes or contains a zero byte.
    public static func make(from password: String) -> PasswordHash? {
        var salt = [CChar](repeating: 0, count: Int(CRYPT_GENSALT_OUTPUT_SIZE))
        let made = unsafe salt.withUnsafeMutableBufferPointer { buffer in
            unsafe crypt_gensalt_rn(nil, 0, nil, 0, buffer.baseAddress, Int32(buffer.count)) != nil
        }
        guard made else { return nil }
        let setting = String(decoding: salt.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return hash(password, setting: setting).map { PasswordHash(text: $0) }
    }

    /// Takes some hundredths of a second.
    public func matches(_ password: String) -> Bool {
        guard let given = Self.hash(password, setting: text) else { return false }
        return ConstantTime.areEqual(given, text)
    }

    private static func hash(_ password: String, setting: String) -> String? {
        if password.utf8.count >= CRYPT_MAX_PASSPHRASE_SIZE || password.utf8.contains(0) { return nil }
        return unsafe withUnsafeTemporaryAllocation(byteCount: Int(workSize), alignment: 16) { work in
            unsafe work.initializeMemory(as: UInt8.self, repeating: 0)
            // The memory held the password.
            defer { unsafe work.initializeMemory(as: UInt8.self, repeating: 0) }
            guard let hash = unsafe crypt_rn(password, setting, work.baseAddress, workSize) else { return nil }
            return unsafe String(cString: hash)
        }
    }
}

/// Comparisons whose time does not depend on where two texts differ.
public enum ConstantTime {
    public static func areEqual(_ first: String, _ second: String) -> Bool {
        let left = Array(first.utf8)
        let right = Array(second.utf8)
        var difference = left.count ^ right.count
        for index in left.indices { difference |= Int(left[index] ^ (right.isEmpty ? 1 : right[index % right.count])) }
        return difference == 0
    }
}
