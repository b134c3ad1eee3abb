/// ASCII characters as bytes of UTF-8. Inlined, because parsers compare each byte with several of them.
extension UInt8 {
    @inlinable public static var tab: UInt8 { 0x09 }
    @inlinable public static var newline: UInt8 { 0x0A }
    @inlinable public static var carriageReturn: UInt8 { 0x0D }
    @inlinable public static var space: UInt8 { 0x20 }
    @inlinable public static var exclamationMark: UInt8 { 0x21 }
    @inlinable public static var quote: UInt8 { 0x22 }
    @inlinable public static var hash: UInt8 { 0x23 }
    @inlinable public static var percent: UInt8 { 0x25 }
    @inlinable public static var ampersand: UInt8 { 0x26 }
    @inlinable public static var apostrophe: UInt8 { 0x27 }
    @inlinable public static var plus: UInt8 { 0x2B }
    @inlinable public static var comma: UInt8 { 0x2C }
    @inlinable public static var dash: UInt8 { 0x2D }
    @inlinable public static var point: UInt8 { 0x2E }
    @inlinable public static var slash: UInt8 { 0x2F }
    @inlinable public static var colon: UInt8 { 0x3A }
    @inlinable public static var semicolon: UInt8 { 0x3B }
    @inlinable public static var less: UInt8 { 0x3C }
    @inlinable public static var equals: UInt8 { 0x3D }
    @inlinable public static var greater: UInt8 { 0x3E }
    @inlinable public static var questionMark: UInt8 { 0x3F }
    @inlinable public static var at: UInt8 { 0x40 }
    @inlinable public static var openingBracket: UInt8 { 0x5B }
    @inlinable public static var backslash: UInt8 { 0x5C }
    @inlinable public static var closingBracket: UInt8 { 0x5D }
    @inlinable public static var underscore: UInt8 { 0x5F }
    @inlinable public static var openingBrace: UInt8 { 0x7B }
    @inlinable public static var closingBrace: UInt8 { 0x7D }

    @inlinable public var isDigit: Bool { self &- 0x30 < 10 }
    /// The number that a digit stands for.
    @inlinable public var digitValue: Int { Int(self &- 0x30) }
    @inlinable public var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
    @inlinable public var isCapital: Bool { self &- 0x41 < 26 }
    @inlinable public var isSmallLetter: Bool { self &- 0x61 < 26 }
    /// The small letter of a capital one; any other byte unchanged.
    @inlinable public var lowercased: UInt8 { isCapital ? self | 0x20 : self }
}
