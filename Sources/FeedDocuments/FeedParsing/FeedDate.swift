internal import Glibc
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
        if let usual = usual(text.bytes) { return usual }
        var scanner = DateScanner(bytes: text.bytes)
        return scanner.parse()
    }

    fileprivate static func isValid(_ year: Int, _ month: Int, _ day: Int) -> Bool {
        Timestamp(year: year, month: month, day: day).civilDate == (year, month, day)
    }

    /// "Mon, 06 Jan 2025 09:30:00 +0100", also with "GMT", the form of nearly all podcasts; nil for other forms.
    private static func usual(_ bytes: UnsafeBufferPointer<UInt8>) -> Timestamp? {
        guard bytes.count == 29 || bytes.count == 31, bytes[3] == .comma, bytes[4] == 0x20, bytes[7] == 0x20,
            bytes[11] == 0x20, bytes[16] == 0x20, bytes[19] == .colon, bytes[22] == .colon,
            bytes[25] == 0x20, let day = two(bytes, 5), let month = month(bytes), let century = two(bytes, 12),
            let year = two(bytes, 14), let hour = two(bytes, 17), let minute = two(bytes, 20),
            let second = two(bytes, 23), let offset = offset(bytes), century >= 19,
            day <= 28 || isValid(century * 100 + year, month, day), day > 0, hour < 24, minute < 60, second < 60
        else { return nil }
        return Timestamp(
            year: century * 100 + year, month: month, day: day, second: hour * 3600 + minute * 60 + second - offset)
    }

    private static func two(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int? {
        let tens = bytes[index] &- UInt8(ascii: "0")
        let ones = bytes[index + 1] &- UInt8(ascii: "0")
        return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
    }

    private static func month(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        let names: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"
        return (0..<12).first { memcmp(names.utf8Start + 3 * $0, bytes.baseAddress! + 8, 3) == 0 }.map { $0 + 1 }
    }

    private static func offset(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        if bytes.count == 29 {
            let isGreenwich =
                bytes[26] == UInt8(ascii: "G") && bytes[27] == UInt8(ascii: "M") && bytes[28] == UInt8(ascii: "T")
            return isGreenwich ? 0 : nil
        }
        guard let hours = two(bytes, 27), let minutes = two(bytes, 29), hours <= 14, minutes < 60 else { return nil }
        switch bytes[26] {
        case .plus: return hours * 3600 + minutes * 60
        case .dash: return -(hours * 3600 + minutes * 60)
        default: return nil
        }
    }
}

/// Collects the parts of one date, in any order.
private struct DateScanner {
    let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0
    /// Numbers that are neither time nor zone, in order, with their numbers of digits.
    private var numbers: [3 of Field] = [Field(), Field(), Field()]
    private var numberCount = 0
    private var month: Int?
    private var isMonthFirst = false
    private var time: (hour: Int, minute: Int, second: Int)?
    private var isAfternoon: Bool?
    /// Seconds east of Greenwich.
    private var zone: Int?
    /// Whether `zone` is the standard time of a city that has summer time.
    private var isZoneOfCity = false
    private var separator: UInt8 = 0

    private struct Field {
        var value = 0
        var digits = 0
    }

    init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    mutating func parse() -> Timestamp? {
        while place < bytes.count {
            let byte = bytes[place]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                guard number() else { return nil }
            case 0xC2 where place + 1 < bytes.count && bytes[place + 1] == 0xA0: place += 2
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...:
                guard word() else { return nil }
            case .plus, .dash:
                if byte == .dash && time == nil && numberCount == 0 && month == nil { return nil }
                if time != nil && zone == nil && startsZone() { readZone() } else { separate(byte) }
            case UInt8(ascii: "("): place = bytes.count
            default: separate(byte)
            }
        }
        return assemble()
    }

    private mutating func separate(_ byte: UInt8) {
        if numberCount == 1 && separator == 0 && byte != .space { separator = byte }
        place += 1
    }

    private func digit(_ index: Int) -> Int? {
        guard index < bytes.count, bytes[index].isDigit else { return nil }
        return bytes[index].digitValue
    }

    private mutating func readNumber() -> Field? {
        var field = Field()
        while let next = digit(place) {
            field.value = field.value * 10 + next
            field.digits += 1
            place += 1
            if field.digits > 14 { return nil }
        }
        return field
    }

    private mutating func number() -> Bool {
        guard let field = readNumber() else { return false }
        let next = place < bytes.count ? bytes[place] : 0
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

    private mutating func readTime(_ hour: Field) -> Bool {
        var parts = (hour.value, 0, 0)
        for index in 1...2 {
            guard place < bytes.count, bytes[place] == .colon || bytes[place] == .point,
                digit(place + 1) != nil
            else { break }
            place += 1
            guard let field = readNumber(), field.digits <= 2 else { return false }
            if index == 1 { parts.1 = field.value } else { parts.2 = field.value }
        }
        if place < bytes.count, bytes[place] == .point || bytes[place] == .comma,
            digit(place + 1) != nil
        {
            place += 1
            while digit(place) != nil { place += 1 }
        }
        time = parts
        return true
    }

    /// True if a sign begins an offset, not a part of a date such as "06:00 5-Jan-2024".
    private func startsZone() -> Bool {
        digit(place + 1) != nil && (month != nil || numberCount >= 2 || numbers[0].digits == 8)
    }

    private mutating func readZone() {
        let sign = bytes[place] == .dash ? -1 : 1
        place += 1
        guard let field = readNumber(), field.digits > 0 else { return }
        var hours = field.value
        var minutes = 0
        if field.digits > 2 { (hours, minutes) = field.value.quotientAndRemainder(dividingBy: 100) }
        if field.digits <= 2, place < bytes.count, bytes[place] == .colon, digit(place + 1) != nil {
            place += 1
            minutes = readNumber()?.value ?? 0
        }
        // Ignore impossible offsets.
        zone = hours <= 14 && minutes < 60 ? sign * (hours * 3600 + minutes * 60) : 0
    }

    private mutating func word() -> Bool {
        let start = place
        while place < bytes.count {
            let byte = bytes[place]
            guard byte.isLetter || byte >= 0x80 else { break }
            place += 1
        }
        let word = String(utf8: bytes[start..<place].lazy.map(\.lowercased))
        if time == nil && word == "t" { return true }
        // A month before all numbers may be a weekday of another language: "mar., 05 janv.".
        if month == nil || isMonthFirst, let found = DateWords.month(word) {
            month = found
            isMonthFirst = numberCount == 0
            return true
        }
        if time != nil {
            if word == "am" || word == "pm" {
                isAfternoon = word == "pm"
            } else if let offset = DateWords.zone(word) {
                // "GMT-01:01": the following offset counts.
                let isFollowed =
                    place + 1 < bytes.count && digit(place + 1) != nil
                    && (bytes[place] == .plus || bytes[place] == .dash)
                if zone == nil && !isFollowed { zone = offset }
            } else if zone == nil, let city = DateWords.city(word) {
                zone = city.offset
                isZoneOfCity = city.hasSummerTime
            }
            return true
        }
        // Before the date an unknown word is a weekday, in any language; within the date it is an error.
        return numberCount == 0 || ["st", "nd", "rd", "th", "de", "of", "at"].contains(word)
    }

    private func assemble() -> Timestamp? {
        guard let date = date() else { return nil }
        let month = date.month
        let day = date.day
        // "0014"
        let year = date.year + (date.year >= 100 ? 0 : date.year < 50 ? 2000 : 1900)
        guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        var (hour, minute, second) = time ?? (0, 0, 0)
        if let isAfternoon, hour <= 12 { hour = hour % 12 + (isAfternoon ? 12 : 0) }
        var seconds = hour * 3600 + minute * 60 + second - (zone ?? 0)
        if isZoneOfCity, DateWords.summer.contains(month) { seconds -= 3600 }
        // A leap second, or an invalid second 60, belongs to the next minute. An impossible time leaves the day.
        if hour > 24 || minute > 59 || second > 99 { seconds = 0 }
        // The 31st of February is the 3rd of March.
        return Timestamp(year: year, month: month, day: day, second: seconds)
    }

    private func date() -> (year: Int, month: Int, day: Int)? {
        if let month {
            guard numberCount >= 2 else { return nil }
            let first = numbers[0]
            let second = numbers[1]
            if first.digits >= 3 { return (first.value, month, second.value) }
            return year(second).map { ($0, month, first.value) }
        }
        switch numberCount {
        case 1: return compactDate(numbers[0])
        case 2 where numbers[0].digits == 4 && numbers[1].digits <= 2: return (numbers[0].value, numbers[1].value, 1)
        case 2 where numbers[0].digits == 4 && numbers[1].digits == 3: return ordinalDate()
        case 3: return numericDate()
        default: return nil
        }
    }

    private func compactDate(_ field: Field) -> (year: Int, month: Int, day: Int)? {
        switch field.digits {
        case 4 where time == nil: return (field.value, 1, 1)
        case 8: return (field.value / 10000, field.value / 100 % 100, field.value % 100)
        default: return nil
        }
    }

    /// ISO 8601 year and day of the year: "2024-335".
    private func ordinalDate() -> (year: Int, month: Int, day: Int)? {
        let date = Timestamp(year: numbers[0].value, month: 1, day: numbers[1].value).civilDate
        return date.year == numbers[0].value ? date : nil
    }

    private func numericDate() -> (year: Int, month: Int, day: Int)? {
        let first = numbers[0]
        let second = numbers[1]
        let third = numbers[2]
        if first.digits == 4 { return (first.value, second.value, third.value) }
        guard third.digits == 4 || third.digits == 2, let year = year(third) else { return nil }
        // With slashes the month comes first, unless it is above 12; with dots and dashes the day comes first.
        let isDayFirst = separator != .slash || first.value > 12
        return isDayFirst ? (year, second.value, first.value) : (year, first.value, second.value)
    }

    /// RFC 2822 section 4.3: years of two digits below 50 are in this century; years of three digits count from 1900.
    private func year(_ field: Field) -> Int? {
        switch field.digits {
        case 4: field.value
        case 3: 1900 + field.value
        case 1, 2: field.value < 50 ? 2000 + field.value : 1900 + field.value
        default: nil
        }
    }
}
