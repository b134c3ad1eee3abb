internal import PodcastModel

/// The charsets of documents, by the labels that browsers accept: WHATWG Encoding section 4.2.
///
/// Labels select from this list only, because iconv(3) knows more charsets, some with a history of security holes.
struct Charset: Equatable {
    /// The name in iconv.
    let name: String

    static let utf8 = Charset(name: "UTF-8")
    /// Also for its subsets ASCII and ISO 8859-1. Documents that announce one of these are often UTF-8.
    static let windows1252 = Charset(name: "CP1252")

    init(name: String) { self.name = name }

    /// Ignores case, quotes and spaces; nil for an unknown label.
    init?(label: String) {
        let bytes = label.utf8.map(\.lowercased).filter { !$0.isBlank && $0 != .quote && $0 != .apostrophe }
        let label = String(utf8: bytes)
        // Without the table, because nearly every feed has this label.
        guard let name = label == "utf-8" ? "UTF-8" : Self.byLabel[label] else { return nil }
        self.name = name
    }

    /// Bytes of the smallest code unit; 1 in charsets that contain ASCII.
    var unit: Int { name.hasPrefix("UTF-16") ? 2 : name.hasPrefix("UTF-32") ? 4 : 1 }

    private static let byLabel = WordTable.values(table)

    /// On each line the name in iconv, then labels.
    private static let table = """
        UTF-8: utf-8 utf8 utf_8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8 u8 utf8mb4
        CP1252: windows-1252 cp1252 x-cp1252 ansi_x3.4-1968 ascii us-ascii cp819 csisolatin1 ibm819 iso-8859-1
        CP1252: iso-ir-100 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 latin-1 iso-8859 8859-1 iso646-us 646 us
        CP1252: ansi
        UTF-16LE: utf-16 utf16 utf-16le utf16le unicodefeff csunicode iso-10646-ucs-2 ucs-2 unicode
        UTF-16BE: utf-16be utf16be unicodefffe
        UTF-32LE: utf-32 utf32 utf-32le ucs-4
        UTF-32BE: utf-32be
        GB18030: gb2312 chinese csgb2312 csiso58gb231280 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk gb18030 cp936 936
        GB18030: ms936 euc-cn euccn
        BIG5-HKSCS: big5 big5-hkscs cn-big5 csbig5 x-x-big5 cp950 big5hkscs
        EUC-JP-MS: euc-jp cseucpkdfmtjapanese x-euc-jp eucjp ujis
        ISO-2022-JP: iso-2022-jp csiso2022jp
        CP932: shift_jis csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis cp932 shiftjis
        CP949: euc-kr cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601
        CP949: windows-949 cp949 uhc euckr
        CP866: ibm866 866 cp866 csibm866
        KOI8-R: koi8-r cskoi8r koi koi8 koi8_r
        KOI8-U: koi8-u koi8-ru
        MACINTOSH: macintosh csmacintosh mac x-mac-roman macroman mac-roman
        MAC-CYRILLIC: x-mac-cyrillic x-mac-ukrainian mac-cyrillic
        CP874: windows-874 dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 tis620 cp874
        CP1254: iso-8859-9 csisolatin5 iso-ir-148 iso8859-9 iso88599 iso_8859-9 l5 latin5 windows-1254 cp1254
        CP1254: x-cp1254
        ISO-8859-2: latin2 l2 csisolatin2 iso-ir-101
        ISO-8859-3: latin3 l3 csisolatin3 iso-ir-109
        ISO-8859-4: latin4 l4 csisolatin4 iso-ir-110
        ISO-8859-5: cyrillic csisolatincyrillic iso-ir-144
        ISO-8859-6: arabic csisolatinarabic ecma-114 asmo-708 iso-ir-127 iso-8859-6-e iso-8859-6-i csiso88596e
        ISO-8859-6: csiso88596i
        ISO-8859-7: greek greek8 csisolatingreek ecma-118 elot_928 iso-ir-126 sun_eu_greek
        ISO-8859-8: hebrew csisolatinhebrew iso-ir-138 visual logical iso-8859-8-e iso-8859-8-i csiso88598e
        ISO-8859-8: csiso88598i
        ISO-8859-10: latin6 l6 csisolatin6 iso-ir-157
        ISO-8859-15: l9 latin-9 latin9 csisolatin9
        ISO-8859-2: iso-8859-2 iso_8859-2 iso8859-2 iso8859_2 iso_8859_2 iso88592 iso_8859-2:1987
        ISO-8859-3: iso-8859-3 iso_8859-3 iso8859-3 iso8859_3 iso_8859_3 iso88593 iso_8859-3:1988
        ISO-8859-4: iso-8859-4 iso_8859-4 iso8859-4 iso8859_4 iso_8859_4 iso88594 iso_8859-4:1988
        ISO-8859-5: iso-8859-5 iso_8859-5 iso8859-5 iso8859_5 iso_8859_5 iso88595 iso_8859-5:1988
        ISO-8859-6: iso-8859-6 iso_8859-6 iso8859-6 iso8859_6 iso_8859_6 iso88596 iso_8859-6:1987
        ISO-8859-7: iso-8859-7 iso_8859-7 iso8859-7 iso8859_7 iso_8859_7 iso88597 iso_8859-7:1987
        ISO-8859-8: iso-8859-8 iso_8859-8 iso8859-8 iso8859_8 iso_8859_8 iso88598 iso_8859-8:1988
        ISO-8859-10: iso-8859-10 iso_8859-10 iso8859-10 iso8859_10 iso_8859_10 iso885910
        ISO-8859-13: iso-8859-13 iso_8859-13 iso8859-13 iso8859_13 iso_8859_13 iso885913
        ISO-8859-14: iso-8859-14 iso_8859-14 iso8859-14 iso8859_14 iso_8859_14 iso885914
        ISO-8859-15: iso-8859-15 iso_8859-15 iso8859-15 iso8859_15 iso_8859_15 iso885915
        ISO-8859-16: iso-8859-16 iso_8859-16 iso8859-16 iso8859_16 iso_8859_16 iso885916
        CP1254: iso8859_9 iso_8859_9 iso8859-9 iso88599 iso_8859-9:1989
        CP874: iso_8859-11 iso8859_11 iso_8859_11
        CP1250: windows-1250 windows1250 x-cp1250 cp1250 win-1250 win1250
        CP1251: windows-1251 windows1251 x-cp1251 cp1251 win-1251 win1251
        CP1253: windows-1253 windows1253 x-cp1253 cp1253 win-1253 win1253
        CP1255: windows-1255 windows1255 x-cp1255 cp1255 win-1255 win1255
        CP1256: windows-1256 windows1256 x-cp1256 cp1256 win-1256 win1256
        CP1257: windows-1257 windows1257 x-cp1257 cp1257 win-1257 win1257
        CP1258: windows-1258 windows1258 x-cp1258 cp1258 win-1258 win1258
        CP1252: windows1252 win-1252 win1252
        CP1254: windows1254 win-1254 win1254
        """
}
