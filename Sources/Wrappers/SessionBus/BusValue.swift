/// A D-Bus value of a type that media players use.
public indirect enum BusValue: Equatable, Sendable {
    case bool(Bool)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case double(Double)
    case string(String)
    case path(String)
    case strings([String])
    /// An empty list of texts as bytes, `aay`; only written.
    case noTexts
    /// Names with values of any type: `a{sv}`.
    case dictionary([BusMember])
    case variant(BusValue)

    /// The type in D-Bus's notation.
    public var signature: String {
        switch self {
        case .bool: "b"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .double: "d"
        case .string: "s"
        case .path: "o"
        case .strings: "as"
        case .noTexts: "aay"
        case .dictionary: "a{sv}"
        case .variant: "v"
        }
    }
}

/// An element of a dictionary.
public struct BusMember: Equatable, Sendable {
    public var name: String
    public var value: BusValue
    public init(_ name: String, _ value: BusValue) {
        self.name = name
        self.value = value
    }
}
