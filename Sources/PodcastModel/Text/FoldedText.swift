/// Texts for comparison, in which case, diacritics, and points and variants of letters make no difference.
public enum FoldedText {
    /// As `letters`, with apostrophes, and with one space between words.
    public static func folded(_ text: String) -> String {
        spelled(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// In lower case, with "ss" for "ß", "ae" for "æ" and plain letters, and without apostrophes.
    public static func letters(_ text: String) -> String {
        let text = spelled(text)
        return text.utf8.contains(.apostrophe) ? text.split(separator: "'").joined() : text
    }

    private static func spelled(_ text: String) -> String {
        let lower = text.lowercased()
        if lower.utf8.allSatisfy({ $0 < 0x80 }) { return lower }
        var result = String.UnicodeScalarView()
        for scalar in lower.unicodeScalars {
            if let first = first(ofTwo: scalar) { result.append(first) }
            if let plain = plain(scalar) { result.append(plain) }
        }
        return String(result)
    }

    /// The first of the two letters that replace one; nil for other characters.
    public static func first(ofTwo scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar {
        case "ß", "ẞ": "s"
        case "æ", "Æ", "ǽ", "Ǽ", "ǣ", "Ǣ": "a"
        default: nil
        }
    }

    /// The letter without its marks, the second letter of `first(ofTwo:)`; nil for a mark that is a character of its own, as vowels of Hebrew and Arabic are.
    public static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case ..<0xC6: scalar
        // Full width.
        case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
        // Latin, Greek, Cyrillic; Hebrew; Arabic.
        case 0x300...0x36F, 0x483...0x487, 0x591...0x5BD, 0x5BF, 0x5C1...0x5C2, 0x5C4...0x5C5, 0x5C7, 0x610...0x61A,
            0x640, 0x64B...0x65F, 0x670, 0x6D6...0x6DC, 0x6DF...0x6E4, 0x6E7...0x6E8, 0x6EA...0x6ED:
            nil
        default: plainLetters[scalar] ?? scalar
        }
    }

    /// The words of a folded text, split as in full-text search.
    public static func words(_ folded: String) -> [Substring] {
        folded.unicodeScalars.split { !isWordCharacter($0) }.map(Substring.init)
    }

    /// The words of a folded title, also those with an apostrophe as one (`dont`).
    public static func titleWords(_ folded: String) -> Set<Substring> {
        Set(words(folded) + words(letters(folded)))
    }

    /// True if FTS5's tokenizer treats a character as part of a word.
    public static func isWordCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .privateUse:
            true
        default: false
        }
    }

    /// Groups of a plain letter and its variants: Latin in upper case only with strokes, because FTS5 removes other diacritics of Latin itself.
    private static let variants = """
        aàáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ bḃḅḇ cçćĉċčḉ dďḋḍḏḑḓđĐ eèéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệæÆǽǼǣǢ fḟ gĝğġģǧǵḡǥǤ hĥȟḣḥḧḩḫẖħĦ
        iìíîïĩīĭįǐȉȋḭḯỉịı jĵǰ kķǩḱḳḵ lĺļľḷḹḻḽłŁ mḿṁṃ nñńņňǹṅṇṉṋ oòóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợøØǿǾ pṕṗ rŕŗřȑȓṙṛṝṟ
        sßẞśŝşšșṡṣṥṧṩ tţťțṫṭṯṱẗŧŦ uùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự vṽṿ wŵẁẃẅẇẉẘ xẋẍ yýÿŷȳẏẙỳỵỷỹ zźżžẑẓẕ
        ΑΆἈἉἊἋἌἍἎἏᾈᾉᾊᾋᾌᾍᾎᾏᾸᾹᾺΆᾼ ΕΈἘἙἚἛἜἝῈΈ ΗΉἨἩἪἫἬἭἮἯᾘᾙᾚᾛᾜᾝᾞᾟῊΉῌ ΙΊΪἸἹἺἻἼἽἾἿῘῙῚΊ ΟΌὈὉὊὋὌὍῸΌ ΥΎΫὙὛὝὟῨῩῪΎ
        ΩΏὨὩὪὫὬὭὮὯᾨᾩᾪᾫᾬᾭᾮᾯῺΏῼ ιΐίϊἰἱἲἳἴἵἶἷὶίιῐῑῒΐῖῗ αάἀἁἂἃἄἅἆἇὰάᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ εέἐἑἒἓἔἕὲέ ηήἠἡἢἣἤἥἦἧὴήᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ
        υΰϋύὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ οόὀὁὂὃὄὅὸό ωώὠὡὢὣὤὥὦὧὼώᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ ЕЀЁӖ ГЃ ІЇ КЌ ИЍЙӢӤ УЎӮӰӲ ийѝӣӥ еѐёӗ гѓ ії кќ уўӯӱӳ
        ЖӁӜ жӂӝ АӐӒ аӑӓ ӘӚ әӛ ЗӞ зӟ ОӦ оӧ ӨӪ өӫ ЭӬ эӭ ЧӴ чӵ ЫӸ ыӹ '’‘ ρῤῥ ΡῬ اآأإٱ وؤ يئیى σς كک هة
        """

    private static let plainLetters: [Unicode.Scalar: Unicode.Scalar] = {
        var letters: [Unicode.Scalar: Unicode.Scalar] = [:]
        for group in variants.unicodeScalars.split(whereSeparator: \.properties.isWhitespace) {
            for letter in group.dropFirst() { letters[letter] = group.first }
        }
        return letters
    }()
}
