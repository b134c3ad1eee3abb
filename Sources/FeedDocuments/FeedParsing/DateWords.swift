/// Words in dates: months in the usual languages of feeds, and time zones.
enum DateWords {
    /// The month named by a lower-case word, in full or abbreviated.
    static func month(_ word: String) -> Int? {
        guard word.utf8.count >= 3, let index = names.firstIndex(where: { $0.hasPrefix(word) }) else {
            return others[word]
        }
        return index + 1
    }

    private static let names = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]

    /// German, French, Spanish, Italian, Portuguese, Dutch, Nordic, Polish and Russian names that differ from English.
    private static let others: [String: Int] = [
        "januar": 1, "jänner": 1, "janvier": 1, "janv": 1, "enero": 1, "ene": 1, "gennaio": 1, "gen": 1, "janeiro": 1,
        "januari": 1,
        "februar": 2, "février": 2, "févr": 2, "fév": 2, "febrero": 2, "febbraio": 2, "fevereiro": 2, "fev": 2,
        "februari": 2,
        "märz": 3, "mär": 3, "mrz": 3, "mars": 3, "marzo": 3, "março": 3, "maart": 3, "mrt": 3,
        "avril": 4, "avr": 4, "abril": 4, "abr": 4, "aprile": 4,
        "mai": 5, "mayo": 5, "maggio": 5, "mag": 5, "maio": 5, "mei": 5,
        "juni": 6, "juin": 6, "junio": 6, "giugno": 6, "giu": 6, "junho": 6,
        "juli": 7, "juillet": 7, "juil": 7, "julio": 7, "luglio": 7, "lug": 7, "julho": 7,
        "août": 8, "aout": 8, "agosto": 8, "ago": 8, "augustus": 8,
        "sept": 9, "septembre": 9, "septiembre": 9, "settembre": 9, "set": 9, "setembro": 9,
        "oktober": 10, "okt": 10, "octobre": 10, "octubre": 10, "ottobre": 10, "ott": 10, "outubro": 10, "out": 10,
        "novembre": 11, "noviembre": 11, "novembro": 11,
        "dezember": 12, "dez": 12, "décembre": 12, "déc": 12, "diciembre": 12, "dic": 12, "dicembre": 12,
        "dezembro": 12,
        "maj": 5, "augusti": 8, "desember": 12,
        "stycznia": 1, "lutego": 2, "marca": 3, "kwietnia": 4, "maja": 5, "czerwca": 6, "lipca": 7, "sierpnia": 8,
        "września": 9, "października": 10, "listopada": 11, "grudnia": 12,
        "января": 1, "янв": 1, "февраля": 2, "фев": 2, "марта": 3, "мар": 3, "апреля": 4, "апр": 4, "мая": 5,
        "июня": 6, "июн": 6, "июля": 7, "июл": 7, "августа": 8, "авг": 8, "сентября": 9, "сен": 9, "октября": 10,
        "окт": 10, "ноября": 11, "ноя": 11, "декабря": 12, "дек": 12,
    ]

    /// Seconds east of Greenwich for a zone's name in lower case; nil if unknown.
    ///
    /// American names are from RFC 2822 section 4.3; ambiguous names have their usual meaning in feeds.
    static func zone(_ word: String) -> Int? {
        switch word {
        case "z", "ut", "utc", "gmt", "wet": 0
        default: zones[word].map { $0 * 60 }
        }
    }

    /// Months with summer time, nearly.
    static let summer = 4...10

    /// The standard time, in seconds east of Greenwich, of the last word of a zone's name in the tz database: `america/new_york`.
    static func city(_ word: String) -> (offset: Int, hasSummerTime: Bool)? {
        if let offset = summerCities[word] { return (offset * 3600, true) }
        return cities[word].map { ($0 * 60, false) }
    }

    /// Hours.
    private static let summerCities: [String: Int] = [
        "halifax": -4, "york": -5, "toronto": -5, "detroit": -5, "chicago": -6, "denver": -7, "angeles": -8,
        "vancouver": -8, "anchorage": -9, "lisbon": 0, "dublin": 0, "london": 0, "paris": 1, "madrid": 1, "rome": 1,
        "berlin": 1, "vienna": 1, "zurich": 1, "brussels": 1, "amsterdam": 1, "copenhagen": 1, "oslo": 1,
        "stockholm": 1, "warsaw": 1, "prague": 1, "budapest": 1, "belgrade": 1, "athens": 2, "helsinki": 2, "kiev": 2,
        "kyiv": 2, "bucharest": 2, "jerusalem": 2,
    ]

    /// Minutes.
    private static let cities: [String: Int] = [
        "phoenix": -420, "bogota": -300, "lima": -300, "paulo": -180, "aires": -180, "lagos": 60,
        "johannesburg": 120, "nairobi": 180, "istanbul": 180, "moscow": 180, "dubai": 240, "tehran": 210,
        "karachi": 300,
        "kolkata": 330, "calcutta": 330, "dhaka": 360, "bangkok": 420, "jakarta": 420, "shanghai": 480, "kong": 480,
        "singapore": 480, "manila": 480, "taipei": 480, "perth": 480, "tokyo": 540, "seoul": 540, "brisbane": 600,
        "sydney": 600, "melbourne": 600, "auckland": 720,
    ]

    /// Minutes east of Greenwich.
    private static let zones: [String: Int] = [
        "est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480, "pdt": -420,
        "akst": -540, "akdt": -480, "hst": -600, "ast": -240, "adt": -180, "nst": -210, "ndt": -150, "brt": -180,
        "brst": -120, "art": -180, "clt": -240, "clst": -180,
        "bst": 60, "west": 60, "cet": 60, "mez": 60, "met": 60, "cest": 120, "mesz": 120, "mest": 120, "eet": 120,
        "eest": 180, "sast": 120, "msk": 180, "msd": 240, "trt": 180,
        "gst": 240, "pkt": 300, "ist": 330, "ict": 420, "wib": 420, "hkt": 480, "sgt": 480, "pht": 480, "awst": 480,
        "jst": 540, "kst": 540, "acst": 570, "acdt": 630, "aest": 600, "aedt": 660, "nzst": 720, "nzdt": 780,
    ]
}
