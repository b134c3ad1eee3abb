internal import CCrypto

/// SHA-256 (FIPS 180-4). One thread at a time.
public enum SHA256 {
    /// - Returns: 64 hexadecimal digits; nil if OpenSSL is not installed.
    public static func hexadecimal(of bytes: [UInt8]) -> String? {
        var digest = [UInt8](repeating: 0, count: 64)
        let count = unsafe bytes.withUnsafeBytes { bytes in
            unsafe digest.withUnsafeMutableBufferPointer {
                unsafe shim_sha256(bytes.baseAddress, bytes.count, $0.baseAddress)
            }
        }
        guard count == 32 else { return nil }
        let digits = Array("0123456789abcdef")
        return String(digest[..<32].flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
