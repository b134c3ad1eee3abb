internal import PodcastModel

/// Words in dates: months in the usual languages of feeds, and time zones.
enum DateWords {
    /// Months by their names in lower case, in full or abbreviated.
    static let months: [String: Int] = {
        var months = others
        for (index, name) in names.enumerated() {
            for length in 3...name.count { months[String(name.prefix(length))] = index + 1 }
        }
        return months
    }()

    private static let names = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]

    /// German, French, Spanish, Italian, Portuguese, Dutch, Nordic, Polish and Russian names that differ from English.
    private static let others = numbers(
        """
        1: januar jänner janvier janv enero ene gennaio gen janeiro januari stycznia января янв
        2: februar février févr fév febrero febbraio fevereiro fev februari lutego февраля фев
        3: märz mär mrz mars marzo março maart mrt marca марта мар
        4: avril avr abril abr aprile kwietnia апреля апр
        5: mai mayo maggio mag maio mei maj maja мая
        6: juni juin junio giugno giu junho czerwca июня июн
        7: juli juillet juil julio luglio lug julho lipca июля июл
        8: août aout agosto ago augustus augusti sierpnia августа авг
        9: sept septembre septiembre settembre set setembro września сентября сен
        10: oktober okt octobre octubre ottobre ott outubro out października октября окт
        11: novembre noviembre novembro listopada ноября ноя
        12: dezember dez décembre déc diciembre dic dicembre dezembro desember grudnia декабря дек
        """)

    /// Months with summer time, nearly.
    static let summer = 4...10

    // Minutes east of Greenwich, by the name of a zone in lower case, or in standard time by the last word of its name in the tz
    // database, such as `america/new_york`.

    /// Cities with summer time.
    static let summerCities = numbers(
        """
        -540: anchorage
        -480: angeles vancouver
        -420: denver
        -360: chicago
        -300: york toronto detroit
        -240: halifax
        0: lisbon dublin london
        60: paris madrid rome berlin vienna zurich brussels amsterdam copenhagen oslo stockholm
        60: warsaw prague budapest belgrade
        120: athens helsinki kiev kyiv bucharest jerusalem
        """)

    static let cities = numbers(
        """
        -420: phoenix
        -300: bogota lima
        -180: paulo aires
        60: lagos
        120: johannesburg
        180: nairobi istanbul moscow
        210: tehran
        240: dubai
        300: karachi
        330: kolkata calcutta
        360: dhaka
        420: bangkok jakarta
        480: shanghai kong singapore manila taipei perth
        540: tokyo seoul
        600: brisbane sydney melbourne
        720: auckland
        """)

    /// American names are from RFC 2822 section 4.3; ambiguous names have their usual meaning in feeds.
    static let zones = numbers(
        """
        -600: hst
        -540: akst
        -480: pst akdt pt
        -420: mst pdt mt
        -360: cst mdt ct
        -300: est cdt et
        -240: edt ast clt
        -210: nst
        -180: adt brt art clst
        -150: ndt
        -120: brst
        0: z ut utc gmt wet
        60: bst west cet mez met
        120: cest mesz mest eet sast
        180: eest msk trt
        240: msd gst
        300: pkt
        330: ist
        420: ict wib
        480: hkt sgt pht awst
        540: jst kst
        570: acst
        600: aest
        630: acdt
        660: aedt
        720: nzst
        780: nzdt
        """)

    private static func numbers(_ rows: String) -> [String: Int] { WordTable.values(rows).compactMapValues { Int($0) } }
}
