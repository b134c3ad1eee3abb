extension String {
    /// Decodes UTF-8. Invalid bytes become U+FFFD.
    @inlinable public init(utf8 bytes: some Collection<UInt8>) { self.init(decoding: bytes, as: UTF8.self) }
}
