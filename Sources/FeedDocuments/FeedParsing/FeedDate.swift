internal import PodcastModel

/// Parses dates in feeds: RFC 2822 section 3.3 and common mistakes, RFC 3339 and ISO 8601, and the formats of common
/// programs. Ambiguous dates are rejected.
enum FeedDate {
    static func parse(_ text: ElementText) -> Timestamp? {
        guard (4...64).contains(text.bytes.count) else { return nil }
        // Seconds since 1970, or milliseconds, from programs that forgot to format the date.
        if [9, 10, 13].contains(text.bytes.count), text.bytes.allSatisfy(\.isDigit) {
            return text.number.map { Timestamp(seconds: Int64($0 / (text.bytes.count == 13 ? 1000 : 1))) }
        }
        var scanner = DateScanner(bytes: text.bytes)
        return scanner.parse()
    }
}

/// Collects the parts of one date, in any order.
private struct DateScanner {
    let bytes: UnsafeBufferPointer<UInt8>
    var place = 0
    /// Numbers that are neither time nor zone, in order, with their numbers of digits.
    var numbers: [3 of Field] = [Field(), Field(), Field()]
    var numberCount = 0
    var month: Int?
    var isMonthFirst = false
    var time: (hour: Int, minute: Int, second: Int)?
    var isAfternoon: Bool?
    /// Minutes east of Greenwich.
    var zone: Int?
    /// Whether `zone` is the standard time of a city that has summer time.
    var isZoneOfCity = false
    var separator: UInt8 = 0

    struct Field {
        var value = 0
        var digits = 0
    }

    mutating func parse() -> Timestamp? {
        while place < bytes.count {
            let byte = next
            switch byte {
            case _ where byte.isDigit: guard number() else { return nil }
            case 0xC2 where place + 1 < bytes.count && bytes[place + 1] == 0xA0: place += 2
            case _ where byte.isLetter || byte >= 0x80: guard word() else { return nil }
            case .plus, .dash:
                if byte == .dash && time == nil && numberCount == 0 && month == nil { return nil }
                if time != nil && zone == nil && startsZone() { readZone() } else { separate(byte) }
            case UInt8(ascii: "("): place = bytes.count
            default: separate(byte)
            }
        }
        return assemble()
    }

    mutating func separate(_ byte: UInt8) {
        if numberCount == 1 && separator == 0 && byte != .space { separator = byte }
        place += 1
    }

    /// The byte at `place`; 0 at the end.
    var next: UInt8 { place < bytes.count ? bytes[place] : 0 }

    func digit(_ index: Int) -> Int? {
        guard index < bytes.count, bytes[index].isDigit else { return nil }
        return bytes[index].digitValue
    }

    mutating func readNumber() -> Field? {
        var field = Field()
        while let digit = digit(place) {
            field.value = field.value * 10 + digit
            field.digits += 1
            place += 1
            if field.digits > 14 { return nil }
        }
        return field
    }

    mutating func number() -> Bool {
        guard let field = readNumber() else { return false }
        if time == nil, field.digits <= 2, next == .colon { return readTime(field) }
        // "06.00.00" is a time if the date is complete.
        if time == nil, numberCount >= 2, field.digits == 2, next == .point, digit(place + 1) != nil {
            return readTime(field)
        }
        // "20240105T060000Z"
        if time == nil, numberCount == 1, numbers[0].digits == 8, field.digits == 6 || field.digits == 4 {
            let clock = field.digits == 6 ? field.value : field.value * 100
            time = (clock / 10000, clock / 100 % 100, clock % 100)
            return true
        }
        guard numberCount < 3 else { return time != nil }
        numbers[numberCount] = field
        numberCount += 1
        return true
    }

    mutating func readTime(_ hour: Field) -> Bool {
        var parts = (hour.value, 0, 0)
        for index in 1...2 {
            guard next == .colon || next == .point, digit(place + 1) != nil else { break }
            place += 1
            guard let field = readNumber(), field.digits <= 2 else { return false }
            if index == 1 { parts.1 = field.value } else { parts.2 = field.value }
        }
        if next == .point || next == .comma, digit(place + 1) != nil {
            place += 1
            while digit(place) != nil { place += 1 }
        }
        time = parts
        return true
    }

    /// True if a sign begins an offset, not a part of a date such as "06:00 5-Jan-2024".
    func startsZone() -> Bool {
        digit(place + 1) != nil && (month != nil || numberCount >= 2 || numbers[0].digits == 8)
    }

    mutating func readZone() {
        let sign = bytes[place] == .dash ? -1 : 1
        place += 1
        guard let field = readNumber(), field.digits > 0 else { return }
        var hours = field.value
        var minutes = 0
        if field.digits > 2 { (hours, minutes) = field.value.quotientAndRemainder(dividingBy: 100) }
        if field.digits <= 2, next == .colon, digit(place + 1) != nil {
            place += 1
            minutes = readNumber()?.value ?? 0
        }
        // Ignore impossible offsets.
        zone = hours <= 14 && minutes < 60 ? sign * (hours * 60 + minutes) : 0
    }

    mutating func word() -> Bool {
        let start = place
        while next.isLetter || next >= 0x80 { place += 1 }
        let word = ElementText(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start..<place]))
            .lowercased
        if time == nil && word == "t" { return true }
        // A month before all numbers may be a weekday of another language: "mar., 05 janv.".
        if month == nil || isMonthFirst, let found = DateWords.months[word] {
            month = found
            isMonthFirst = numberCount == 0
            return true
        }
        if time != nil {
            if word == "am" || word == "pm" {
                isAfternoon = word == "pm"
            } else if let offset = DateWords.zones[word] {
                // "GMT-01:01": the following offset counts.
                let isFollowed = digit(place + 1) != nil && (next == .plus || next == .dash)
                if zone == nil && !isFollowed { zone = offset }
            } else if zone == nil, let offset = DateWords.summerCities[word] ?? DateWords.cities[word] {
                zone = offset
                isZoneOfCity = DateWords.summerCities[word] != nil
            }
            return true
        }
        // Before the date an unknown word is a weekday, in any language; within the date it is an error.
        return numberCount == 0 || ["st", "nd", "rd", "th", "de", "of", "at"].contains(word)
    }

    func assemble() -> Timestamp? {
        guard let date = date() else { return nil }
        let month = date.month
        let day = date.day
        // RFC 2822 section 4.3: years of two digits below 50 are in this century. Also "0014".
        let year = date.year + (date.year >= 100 ? 0 : date.year < 50 ? 2000 : 1900)
        guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        var (hour, minute, second) = time ?? (0, 0, 0)
        if let isAfternoon, hour <= 12 { hour = hour % 12 + (isAfternoon ? 12 : 0) }
        var seconds = (hour * 60 + minute - (zone ?? 0)) * 60 + second
        if isZoneOfCity, DateWords.summer.contains(month) { seconds -= 3600 }
        // A leap second, or an invalid second 60, belongs to the next minute. An impossible time leaves the day.
        if hour > 24 || minute > 59 || second > 99 { seconds = 0 }
        // The 31st of February is the 3rd of March.
        return Timestamp(year: year, month: month, day: day, second: seconds)
    }

    func date() -> (year: Int, month: Int, day: Int)? {
        let first = numbers[0]
        let second = numbers[1]
        let third = numbers[2]
        if let month {
            guard numberCount >= 2 else { return nil }
            if first.digits >= 3 { return (first.value, month, second.value) }
            return year(second).map { ($0, month, first.value) }
        }
        switch (numberCount, first.digits, second.digits) {
        case (1, 4, _) where time == nil: return (first.value, 1, 1)
        case (1, 8, _): return (first.value / 10000, first.value / 100 % 100, first.value % 100)
        case (2, 4, ...2): return (first.value, second.value, 1)
        // ISO 8601 year and day of the year: "2024-335".
        case (2, 4, 3):
            let date = Timestamp(year: first.value, month: 1, day: second.value).civilDate
            return date.year == first.value ? date : nil
        case (3, 4, _): return (first.value, second.value, third.value)
        case (3, _, _) where third.digits == 2 || third.digits == 4:
            // With slashes the month comes first, unless it is above 12; with dots and dashes the day comes first.
            let isDayFirst = separator != .slash || first.value > 12
            return isDayFirst ? (third.value, second.value, first.value) : (third.value, first.value, second.value)
        default: return nil
        }
    }

    /// Years of three digits count from 1900: RFC 2822 section 4.3.
    func year(_ field: Field) -> Int? {
        field.digits > 4 ? nil : field.digits == 3 ? 1900 + field.value : field.value
    }
}
