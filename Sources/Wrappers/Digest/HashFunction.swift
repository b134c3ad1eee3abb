internal import CCrypto

/// Hash functions of OpenSSL (FIPS 180-4). One thread at a time.
public enum HashFunction: String, Sendable {
    /// Only for what requires it: the Podcast Index signs requests with it.
    case sha1 = "EVP_sha1"
    case sha256 = "EVP_sha256"

    /// - Returns: two hexadecimal digits for each byte; nil if OpenSSL is not installed.
    public func hexadecimal(of bytes: [UInt8]) -> String? {
        let digits = Array("0123456789abcdef")
        return digest(of: bytes).map { String($0.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }) }
    }

    /// - Returns: nil if OpenSSL is not installed.
    public func digest(of bytes: [UInt8]) -> [UInt8]? {
        unsafe output(of: bytes) { unsafe shim_digest(rawValue, $0.baseAddress, $0.count, $1) }
    }

    /// HMAC (RFC 2104).
    /// - Returns: nil if OpenSSL is not installed.
    public func authenticationCode(of bytes: [UInt8], key: [UInt8]) -> [UInt8]? {
        unsafe output(of: bytes) { unsafe shim_hmac(rawValue, key, Int32(key.count), $0.baseAddress, $0.count, $1) }
    }

    private func output(
        of bytes: [UInt8], _ run: (UnsafeRawBufferPointer, UnsafeMutablePointer<UInt8>?) -> UInt32
    ) -> [UInt8]? {
        var output = [UInt8](repeating: 0, count: 64)
        let count = unsafe bytes.withUnsafeBytes { bytes in
            unsafe output.withUnsafeMutableBufferPointer { unsafe run(bytes, $0.baseAddress) }
        }
        return count > 0 ? Array(output[..<Int(count)]) : nil
    }
}
