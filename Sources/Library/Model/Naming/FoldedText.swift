/// Titles for comparison: lower case, "ss" for "ß", one space, without the diacritics that full-text search ignores.
enum FoldedText {
    static func folded(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var isAfterSpace = true
        for scalar in text.lowercased().unicodeScalars {
            if scalar.properties.isWhitespace {
                if !isAfterSpace { result.append(" ") }
                isAfterSpace = true
                continue
            }
            isAfterSpace = false
            switch scalar.value {
            case 0..<0x80: result.append(scalar)
            case 0xDF: result.append(contentsOf: "ss".unicodeScalars)
            case 0x300...0x36F: break
            default: result.append(plainLetters[scalar] ?? scalar)
            }
        }
        if result.last == " " { result.removeLast() }
        return String(result)
    }

    /// The words of a folded text, split as in full-text search.
    static func words(_ folded: String) -> [Substring] {
        folded.unicodeScalars.split { !isWordCharacter($0) }.map(Substring.init)
    }

    /// True if FTS5's tokenizer treats a character as part of a word.
    static func isWordCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .privateUse:
            true
        default: false
        }
    }

    /// Lower-case Latin letters with diacritics, by their base letter.
    private static let marked: [(plain: Unicode.Scalar, letters: String)] = [
        ("a", "àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ"), ("b", "ḃḅḇ"), ("c", "çćĉċčḉ"), ("d", "ďḋḍḏḑḓ"),
        ("e", "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ"), ("f", "ḟ"), ("g", "ĝğġģǧǵḡ"), ("h", "ĥȟḣḥḧḩḫẖ"), ("i", "ìíîïĩīĭįǐȉȋḭḯỉị"),
        ("j", "ĵǰ"), ("k", "ķǩḱḳḵ"), ("l", "ĺļľḷḹḻḽ"), ("m", "ḿṁṃ"), ("n", "ñńņňǹṅṇṉṋ"),
        ("o", "òóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ"), ("p", "ṕṗ"), ("r", "ŕŗřȑȓṙṛṝṟ"), ("s", "śŝşšșṡṣṥṧṩ"),
        ("t", "ţťțṫṭṯṱẗ"),
        ("u", "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự"), ("v", "ṽṿ"), ("w", "ŵẁẃẅẇẉẘ"), ("x", "ẋẍ"), ("y", "ýÿŷȳẏẙỳỵỷỹ"),
        ("z", "źżžẑẓẕ"),
    ]

    private static let plainLetters: [Unicode.Scalar: Unicode.Scalar] = {
        var letters: [Unicode.Scalar: Unicode.Scalar] = [:]
        for (plain, group) in marked { for letter in group.unicodeScalars { letters[letter] = plain } }
        return letters
    }()
}
