internal import CCrypto

/// Hash functions of OpenSSL (FIPS 180-4). One thread at a time.
public enum HashFunction: String, Sendable {
    /// Only for what requires it: the Podcast Index signs requests with it.
    case sha1 = "EVP_sha1"
    case sha256 = "EVP_sha256"

    /// - Returns: two hexadecimal digits for each byte; nil if OpenSSL is not installed.
    public func hexadecimal(of bytes: [UInt8]) -> String? {
        var digest = [UInt8](repeating: 0, count: 64)
        let count = unsafe bytes.withUnsafeBytes { bytes in
            unsafe digest.withUnsafeMutableBufferPointer {
                unsafe shim_digest(rawValue, bytes.baseAddress, bytes.count, $0.baseAddress)
            }
        }
        guard count > 0 else { return nil }
        let digits = Array("0123456789abcdef")
        return String(digest[..<Int(count)].flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
