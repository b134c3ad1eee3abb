/// The charsets of documents, by the labels that browsers accept: WHATWG Encoding section 4.2.
///
/// Labels select from this list only, because iconv(3) knows more charsets, some with a history of security holes.
enum Charset: Equatable {
    case utf8
    /// Also for its subsets ASCII and ISO 8859-1. Documents that announce one of these are often UTF-8.
    case windows1252
    /// Another charset, by its name in iconv.
    case other(String, CharacterWidths)

    static func == (left: Charset, right: Charset) -> Bool {
        switch (left, right) {
        case (.utf8, .utf8), (.windows1252, .windows1252): true
        case (.other(let left, _), .other(let right, _)): left == right
        case (.utf8, _), (.windows1252, _), (.other, _): false
        }
    }

    private static func single(_ name: String) -> Charset {
        .other(name, CharacterWidths(one: 1, two: 1, three: 1, four: 1))
    }

    /// A charset with one byte for ASCII characters and two for others.
    private static func double(_ name: String, four: Int = 2) -> Charset {
        .other(name, CharacterWidths(one: 1, two: 2, three: 2, four: four))
    }

    static let utf16LittleEndian = Charset.other("UTF-16LE", CharacterWidths(one: 2, two: 2, three: 2, four: 4))
    static let utf16BigEndian = Charset.other("UTF-16BE", CharacterWidths(one: 2, two: 2, three: 2, four: 4))
    static let utf32LittleEndian = Charset.other("UTF-32LE", CharacterWidths(one: 4, two: 4, three: 4, four: 4))
    static let utf32BigEndian = Charset.other("UTF-32BE", CharacterWidths(one: 4, two: 4, three: 4, four: 4))

    /// Ignores case, quotes and spaces; nil for an unknown label.
    init?(label: String) {
        let bytes = label.utf8.map(\.lowercased).filter { !$0.isBlank && $0 != .quote && $0 != .apostrophe }
        guard let found = Self.find(String(decoding: bytes, as: UTF8.self)) else { return nil }
        self = found
    }

    /// True if ASCII characters, such as those of the declaration, have the same bytes as in ASCII.
    var extendsASCII: Bool {
        switch self {
        case .utf8, .windows1252: true
        case .other(let name, _): !name.hasPrefix("UTF-16") && !name.hasPrefix("UTF-32")
        }
    }

    private static func find(_ label: String) -> Charset? {
        switch label {
        case "utf-8", "utf8", "utf_8", "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "x-unicode20utf8", "u8",
            "utf8mb4":
            .utf8
        case "windows-1252", "cp1252", "x-cp1252", "ansi_x3.4-1968", "ascii", "us-ascii", "cp819", "csisolatin1",
            "ibm819", "iso-8859-1", "iso-ir-100", "iso8859-1", "iso88591", "iso_8859-1", "iso_8859-1:1987", "l1",
            "latin1", "latin-1", "iso-8859", "8859-1", "iso646-us", "646", "us", "ansi":
            .windows1252
        case "utf-16", "utf16", "utf-16le", "utf16le", "unicodefeff", "csunicode", "iso-10646-ucs-2", "ucs-2",
            "unicode":
            .utf16LittleEndian
        case "utf-16be", "utf16be", "unicodefffe": .utf16BigEndian
        case "utf-32", "utf32", "utf-32le", "ucs-4": .utf32LittleEndian
        case "utf-32be": .utf32BigEndian
        default: eastAsian(label) ?? european(label)
        }
    }

    private static func eastAsian(_ label: String) -> Charset? {
        switch label {
        case "gb2312", "chinese", "csgb2312", "csiso58gb231280", "gb_2312", "gb_2312-80", "gbk", "iso-ir-58", "x-gbk",
            "gb18030", "cp936", "936", "ms936", "euc-cn", "euccn":
            double("GB18030", four: 4)
        case "big5", "big5-hkscs", "cn-big5", "csbig5", "x-x-big5", "cp950", "big5hkscs": double("BIG5-HKSCS")
        case "euc-jp", "cseucpkdfmtjapanese", "x-euc-jp", "eucjp", "ujis": double("EUC-JP-MS")
        case "iso-2022-jp", "csiso2022jp": double("ISO-2022-JP")
        case "shift_jis", "csshiftjis", "ms932", "ms_kanji", "shift-jis", "sjis", "windows-31j", "x-sjis", "cp932",
            "shiftjis":
            double("CP932")
        case "euc-kr", "cseuckr", "csksc56011987", "iso-ir-149", "korean", "ks_c_5601-1987", "ks_c_5601-1989",
            "ksc5601", "ksc_5601", "windows-949", "cp949", "uhc", "euckr":
            double("CP949")
        default: nil
        }
    }

    private static func european(_ label: String) -> Charset? {
        switch label {
        case "ibm866", "866", "cp866", "csibm866": single("CP866")
        case "koi8-r", "cskoi8r", "koi", "koi8", "koi8_r": single("KOI8-R")
        case "koi8-u", "koi8-ru": single("KOI8-U")
        case "macintosh", "csmacintosh", "mac", "x-mac-roman", "macroman", "mac-roman": single("MACINTOSH")
        case "x-mac-cyrillic", "x-mac-ukrainian", "mac-cyrillic": single("MAC-CYRILLIC")
        case "windows-874", "dos-874", "iso-8859-11", "iso8859-11", "iso885911", "tis-620", "tis620", "cp874":
            single("CP874")
        case "iso-8859-9", "csisolatin5", "iso-ir-148", "iso8859-9", "iso88599", "iso_8859-9", "l5", "latin5",
            "windows-1254", "cp1254", "x-cp1254":
            single("CP1254")
        default:
            isoPart(of: label).map { single("ISO-8859-\($0)") } ?? windowsPart(of: label).map { single("CP125\($0)") }
        }
    }

    private static func windowsPart(of label: String) -> Int? {
        for prefix in ["windows-125", "windows125", "x-cp125", "cp125", "win-125", "win125"]
        where label.hasPrefix(prefix) {
            guard let part = Int(label.dropFirst(prefix.count)), (0...8).contains(part) else { return nil }
            return part
        }
        return nil
    }

    private static func isoPart(of label: String) -> Int? {
        switch label {
        case "latin2", "l2", "csisolatin2", "iso-ir-101": return 2
        case "latin3", "l3", "csisolatin3", "iso-ir-109": return 3
        case "latin4", "l4", "csisolatin4", "iso-ir-110": return 4
        case "cyrillic", "csisolatincyrillic", "iso-ir-144": return 5
        case "arabic", "csisolatinarabic", "ecma-114", "asmo-708", "iso-ir-127", "iso-8859-6-e", "iso-8859-6-i",
            "csiso88596e", "csiso88596i":
            return 6
        case "greek", "greek8", "csisolatingreek", "ecma-118", "elot_928", "iso-ir-126", "sun_eu_greek": return 7
        case "hebrew", "csisolatinhebrew", "iso-ir-138", "visual", "logical", "iso-8859-8-e", "iso-8859-8-i",
            "csiso88598e", "csiso88598i":
            return 8
        case "latin6", "l6", "csisolatin6", "iso-ir-157": return 10
        case "l9", "latin-9", "latin9", "csisolatin9": return 15
        default: break
        }
        for prefix in ["iso-8859-", "iso_8859-", "iso8859-", "iso8859_", "iso_8859_", "iso8859"]
        where label.hasPrefix(prefix) {
            let number = label.dropFirst(prefix.count).prefix { $0.isNumber }
            let rest = label.dropFirst(prefix.count + number.count)
            // Full names in the registry contain a year: ISO_8859-2:1987.
            guard rest.isEmpty || rest.hasPrefix(":"), let part = Int(number) else { return nil }
            return (2...16).contains(part) && part != 12 ? part : nil
        }
        return nil
    }
}
